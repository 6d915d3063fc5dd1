import { expect, it } from '@jest/globals';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { Fields } from './automation.ts';
import { onPlatforms } from './on-platforms.ts';

const dayMs = 24 * 60 * 60 * 1000;

onPlatforms('daily-availability-report', (open, platform) => {
  it('the screens of the city that are available next week are rows, the cheapest first', async () => {
    const { sandbox, recipe } = await open();
    const { handedOver: rows, failure } = await recipe.start();
    expect(failure).toBeUndefined();
    expect(rows.length).toBeGreaterThan(2);
    expect(screensOf(sandbox)).toEqual(expect.arrayContaining(textsOf(rows, 'Screen')));
    const prices = numbersOf(rows, 'Total Price in Cents');
    expect(prices).toEqual(prices.toSorted((one, other) => one - other));
    expect(Math.min(...numbersOf(rows, 'Available Share'))).toBeGreaterThanOrEqual(10);
    for (const { From, To } of rows) {
      expect(Date.parse(String(To)) - Date.parse(String(From))).toBe(6 * dayMs);
      expect(Date.parse(String(From))).toBeGreaterThan(Date.now() - dayMs);
    }
  });

  it('when no screen fits, n8n says so in a row, and Zapier ends at the search', async () => {
    const { sandbox, recipe } = await open();
    for (const { id, city } of sandbox.screens.list()) {
      if (city === 'Berlin') sandbox.screens.remove(id);
    }
    const { handedOver, failure } = await recipe.start();
    expect(textsOf(handedOver, 'Screen')).toEqual(platform === 'n8n' ? ['No screen matches'] : []);
    expect(failure).toBeUndefined();
  });

  it('an unreadable screen is reported, and does not exclude the others', async () => {
    const { sandbox, recipe } = await open();
    const { handedOver: whole } = await recipe.start();
    const [broken] = sandbox.screens.list().filter(({ name }) => name === whole[0]?.Screen);
    const path = `/screens/${broken?.id}/availability`;
    sandbox.faults.add({ fault: 'status', status: 422, path });
    const { handedOver: rows, failure } = await recipe.start();
    expect(failure).toBeUndefined();
    expect(textsOf(rows, 'Screen')).toEqual(
      expect.arrayContaining(textsOf(whole.slice(1), 'Screen')),
    );
    expect(told(rows, String(broken?.name))).toBe(true);
  });

  function told(rows: readonly Fields[], screen: string): boolean {
    if (platform === 'Zapier') return rows.every((row) => row['Unread Screens'] === 1);
    return /status 422/.test(String(rows.find((row) => row.Screen === screen)?.Note));
  }
});

function screensOf(sandbox: Sandbox): string[] {
  return sandbox.screens.list().flatMap(({ city, name }) => (city === 'Berlin' ? [name] : []));
}

function textsOf(rows: readonly Fields[], column: string): string[] {
  return rows.map((row) => String(row[column]));
}

function numbersOf(rows: readonly Fields[], column: string): number[] {
  return rows.map((row) => Number(row[column]));
}
