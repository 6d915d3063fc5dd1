import { describe, expect, it } from '@jest/globals';
import type { Sandbox } from '@screen-advertising/sandbox';
import { type Fields, openRecipe } from './open-recipe.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('daily-availability-report', () => {
  const open = (options = {}) => openRecipe('daily-availability-report', options);

  it('the screens of the city that are available next week are rows, the cheapest first', async () => {
    const recipe = await open();
    const before = Date.now();
    const { handedOver: rows, failure } = await recipe.start();
    expect(failure).toBeUndefined();
    expect(rows.length).toBeGreaterThan(2);
    const berlin = recipe.sandbox.screens.list().filter(({ city }) => city === 'Berlin');
    expect(berlin.map(({ name }) => name)).toEqual(expect.arrayContaining(screensIn(rows)));
    const prices = rows.map((row) => Number(row['Total Price in Cents']));
    expect(prices).toEqual(prices.toSorted((one, other) => one - other));
    for (const { From, To, 'Available Share': share } of rows) {
      expect(Number(share)).toBeGreaterThanOrEqual(10);
      expect(Date.parse(String(To)) - Date.parse(String(From))).toBe(6 * dayMs);
      expect(Date.parse(String(From))).toBeGreaterThan(before - dayMs);
    }
  });

  it('when no screen fits, a row says so', async () => {
    const recipe = await open();
    for (const { id, city } of recipe.sandbox.screens.list()) {
      if (city === 'Berlin') recipe.sandbox.screens.remove(id);
    }
    const { handedOver, failure } = await recipe.start();
    expect(screensIn(handedOver)).toEqual(['No screen matches']);
    expect(failure).toBeUndefined();
  });

  it('an unreadable screen is reported, and does not exclude the others', async () => {
    const recipe = await open();
    const [broken = '', ...others] = screensIn((await recipe.start()).handedOver);
    const { id } = recipe.sandbox.screens.list().find(({ name }) => name === broken) ?? {};
    const path = `/screens/${id}/availability`;
    recipe.sandbox.faults.add({ fault: 'status', status: 422, path });
    const { handedOver: rows, failure } = await recipe.start();
    expect(failure).toBeUndefined();
    expect(screensIn(rows)).toEqual(expect.arrayContaining(others));
    const row = rows.find(({ Screen }) => Screen === broken);
    expect(row?.Note).toContain('status 422');
  });
});

const screensIn = (rows: readonly Fields[]) => rows.map((row) => String(row.Screen));

/** The row of a list. */
const rowOf = (Campaign: string, Content: string, Link: unknown = '') => ({
  Campaign,
  Content,
  Link,
});

describe('landing-links-from-list', () => {
  const open = (options = {}) => openRecipe('landing-links-from-list', options);

  it('each row without a link gets its own', async () => {
    const recipe = await open();
    const rows = [rowOf('spring', 'newsletter'), rowOf('spring', 'poster')];
    const links = [linkOf('spring', 'newsletter'), linkOf('spring', 'poster')];
    expect(await recipe.start(rows)).toMatchObject({
      handedOver: links.map((Link, nth) => ({ ...rows[nth], Link })),
    });
  });

  it('rows that have a link, or name no campaign, stay unchanged', async () => {
    const recipe = await open();
    const linked = rowOf('winter', 'poster', 'https://service.example/earlier');
    for (const rows of [[], [linked, rowOf('', 'poster')]]) {
      expect(await recipe.start(rows)).toEqual({ handedOver: [] });
    }
    expect(linksCreated(recipe.sandbox)).toBe(0);
  });

  it('a row that fails does not stop the others from getting links, and says why', async () => {
    const recipe = await open();
    recipe.sandbox.faults.add({ fault: 'status', status: 400, path: '/landing-links', times: 1 });
    const { handedOver } = await recipe.start([
      rowOf('spring', 'newsletter'),
      rowOf('spring', 'poster'),
    ]);
    const links = handedOver.filter(({ Link }) => Link !== '');
    expect(links).toMatchObject([{ Link: linkOf('spring', '') }]);
    const without = handedOver.find(({ Link }) => Link === '');
    expect(without?.Note).toMatch(/service rejected the request/);
  });
});

function linkOf(campaign: string, content: string) {
  return expect.stringContaining(`utm_campaign=${campaign}&utm_content=${content}`);
}

function linksCreated({ journal }: Sandbox): number {
  return journal.list().filter(({ path }) => path.endsWith('/landing-links')).length;
}
