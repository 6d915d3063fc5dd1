import { describe, expect, it } from '@jest/globals';
import { openLivelyPage, openPage, type Visitor } from './support.ts';

const textOf = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&#39;', "'");

async function refused(visitor: Visitor, action: string, fields: Record<string, string>) {
  const { status, html } = await visitor.post(`/operator/actions/${action}`, fields);
  expect(status).toBe(400);
  return textOf(html);
}

/** The field with this ID, with what stands below it. */
const fieldIn = (html: string, id: string) =>
  new RegExp(`<input id="${id}"[^>]*>\\s*(?:<p[^>]*>[^<]*</p>)?`).exec(html)?.[0] ?? '';

const focused = (html: string) => html.match(/<\w+[^>]* autofocus>/g) ?? [];

describe('a refused form', () => {
  it.each([
    ['/operator/tokens', 'name'],
    ['/operator/set-up', 'token-name'],
  ])(
    'on %s keeps what was typed, and says beside the field that a name exists',
    async (from, id) => {
      const { visitor, relay } = await openPage();
      await relay.tokens.create('main', 'Zapier "2"');
      const fields = { source: 'main', name: 'Zapier "2"', rights: 'manage', from };
      const html = await refused(visitor, 'create-token', fields);
      const field = fieldIn(html, id);
      expect(field).toContain('value="Zapier "2""');
      expect(field).toContain(`aria-invalid="true" aria-describedby="${id}-error" autofocus>`);
      expect(field).toContain(
        `<p id="${id}-error" class="error">The source "main" already has a token "Zapier "2"". Rotate it, or choose another name.</p>`,
      );
      expect(html).toMatch(/<option value="manage" selected>/);
      expect(focused(html)).toEqual([expect.stringContaining(`id="${id}"`)]);
    },
  );

  it('keeps the name of a source, and shows no secret', async () => {
    const { visitor } = await openPage();
    const from = '/operator/sources';
    const fields = { name: 'second', secret: 'a b c d e f g', from };
    const html = await refused(visitor, 'add-source', fields);
    expect(fieldIn(html, 'name')).toContain('value="second"');
    expect(fieldIn(html, 'name')).not.toContain('aria-invalid');
    expect(fieldIn(html, 'secret')).toMatch(/value=""[\s\S]*has a space/);
    expect(html).not.toContain('a b c d e f g');
    const taken = await refused(visitor, 'add-source', { name: 'main', from: '/operator/set-up' });
    expect(fieldIn(taken, 'name')).toContain('The source "main" already exists.');
    expect(taken).toMatch(/<details class="ask" open><summary aria-label="Add another source"/);
  });

  it('of one record leaves those of the others alone', async () => {
    const { visitor, relay } = await openPage();
    await relay.sources.add('second', 'signing-secret');
    const fields = { name: 'second', secret: 'short', from: '/operator/sources' };
    const html = await refused(visitor, 'rotate-source', fields);
    expect(fieldIn(html, 'secret-second')).toContain('is shorter than 8 characters');
    expect(fieldIn(html, 'secret-main')).not.toContain('shorter');
    expect(html.match(/<details class="ask" open>/g)).toHaveLength(1);
  });

  it('of a limit names the field', async () => {
    const { visitor, subscription } = await openLivelyPage();
    const from = `/operator/subscriptions/${subscription}`;
    const fields = { subscription, from, max_concurrency: '17' };
    const html = await refused(visitor, 'subscriptions.change', fields);
    expect(fieldIn(html, 'max_concurrency')).toMatch(/value="17"[\s\S]*must be at most 16/);
  });
});

it('the focus is on the message after an action, and after a refusal that names no field', async () => {
  const { visitor, subscription } = await openLivelyPage();
  const message = [expect.stringContaining('id="notice"')];
  const { headers } = await visitor.post('/operator/actions/subscriptions.change', {
    subscription,
    state: 'off',
  });
  expect(focused((await visitor.get(headers.location ?? '')).html)).toEqual(message);
  const fields = { subscription: 'sub_1', from: '/' };
  expect(focused(await refused(visitor, 'subscriptions.test', fields))).toEqual(message);
  expect(focused((await visitor.get('/')).html)).toEqual([]);
});
