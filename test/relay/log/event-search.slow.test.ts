import { beforeAll, describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { searchHashes } from '../../../packages/relay/src/log/search.ts';
import { openPage } from '../page/support.ts';
import {
  freshDatabase,
  ownSource,
  type Running,
  secretKey,
  start,
} from '../support/running-relay.ts';

const anna = {
  id: 'evt-of-the-service-1',
  type: 'coupon.redeemed',
  data: {
    code: 'SPRING-25',
    lead: { email: 'Anna.Müller@Example.com' },
    order: 4711,
    tags: ['vip'],
  },
};
const ben = { id: '2', type: 'campaign.paid', data: { lead: { email: 'ben@example.com' } } };

/** The IDs of the service, of events that a search finds. */
async function found({ call }: Running, search: string, more = ''): Promise<string[]> {
  const { status, body } = await call('GET', `/events?search=${encodeURIComponent(search)}${more}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.data.map(({ payload }: { payload: { id: string } }) => payload.id);
}

let shared: Running;

beforeAll(async () => {
  shared = await start();
  await shared.deliver(anna);
  await shared.relay.clock.advance(1);
  await shared.deliver(ben);
});

describe('a search for events', () => {
  it.each([
    ['a text in the data', 'SPRING-25'],
    ['a nested text, in any case', 'ANNA.MÜLLER@example.COM'],
    ['a text whose accents are written as two characters', 'anna.mu\u0308ller@example.com'],
    ['a text with spaces around it', ' anna.müller@example.com '],
    ['an item of a list', 'VIP'],
    ['a number', '4711'],
    ["the service's ID of the event", 'evt-of-the-service-1'],
  ])('finds %s', async (_what, search) => {
    expect(await found(shared, search)).toEqual([anna.id]);
  });

  it("finds the relay's ID", async () => {
    const { body } = await shared.call('GET', '/events');
    expect(await found(shared, body.data[0].id)).toEqual([ben.id]);
    expect(await found(shared, body.data[1].id.toUpperCase().replace('EVT', 'evt'))).toEqual([
      anna.id,
    ]);
  });

  it('finds no part of a value, no name of a field, and nothing of another source', async () => {
    const running = shared;
    for (const search of ['anna', 'example.com', 'email', 'coupon']) {
      expect(await found(running, search)).toEqual([]);
    }
    await running.relay.sources.add('other', 'signing-secret-of-another');
    const { token } = await running.relay.tokens.create('other', 'a token');
    const { body } = await running.call('GET', '/events?search=SPRING-25', undefined, token);
    expect(body.data).toEqual([]);
  });

  it('returns no event while there is no source', async () => {
    const relay = await createRelay({ databaseUrl: await freshDatabase(), secretKey });
    expect((await relay.operate('events.list', { search: 'SPRING-25' })).data).toEqual([]);
    await relay.close();
  });

  it('works with the other filters, page by page', async () => {
    const running = await ownSource(shared);
    await running.deliver(anna);
    for (const id of ['3', '4', '5']) {
      await running.relay.clock.advance(1);
      await running.deliver({ ...anna, id });
    }
    expect(await found(running, 'spring-25', '&limit=2')).toEqual(['5', '4']);
    const { body } = await running.call('GET', '/events?search=spring-25&limit=2');
    const next = `&limit=2&cursor=${body.pagination.cursor}`;
    expect(await found(running, 'spring-25', next)).toEqual(['3', anna.id]);
    expect(await found(running, 'spring-25', '&type=campaign.paid')).toEqual([]);
    expect(await found(running, 'spring-25', '&to=2027-03-01T08:59:59Z')).toEqual([]);
  });

  it.each([
    ['no text', ''],
    ['a long text', 'x'.repeat(501)],
    ['U+0000', 'a\0b'],
  ])('for %s is refused', async (_what, search) => {
    const { call } = shared;
    const { status, body } = await call('GET', `/events?search=${encodeURIComponent(search)}`);
    expect([status, body.detail]).toEqual([
      400,
      'search must be a whole value, such as an email address, of up to 500 characters.',
    ]);
  });

  it('stays small for an event with very many values', () => {
    const data = { list: Array.from({ length: 100_000 }, (_, nth) => `value ${nth}`) };
    const hashes = searchHashes(1, { id: 'first', type: 'campaign.paid', data } as never);
    expect(hashes.split(',')).toHaveLength(500);
  });
});

it("the operator's page has a field to search in, and looks for the start of a value in the newest events", async () => {
  const { visitor, deliver } = await openPage();
  await deliver(anna);
  await deliver(ben);
  const events = async (search: string) =>
    (await visitor.get(`/operator/events?search=${encodeURIComponent(search)}`)).html;
  const html = await events('anna.müller@example.com');
  expect(html).toContain('>coupon.redeemed</a>');
  expect(html).not.toContain('>campaign.paid</a>');
  expect(html).toContain('value="anna.müller@example.com"');
  expect(html).toContain('Erase');
  for (const start of ['ann', 'ANNA.MÜ', 'spring-', 'evt-of-the']) {
    const some = await events(start);
    expect(some).toContain(
      `No event has the value "${start}". Of the newest 2,000 events of each source, these have one that begins with it:`,
    );
    expect(some).toContain('>coupon.redeemed</a>');
    expect(some).not.toContain('>campaign.paid</a>');
    expect(some).not.toContain('Erase');
  }
  for (const none of ['<b>anna', 'müller', 'an', 'email', 'coupon.']) {
    expect(await events(none)).toContain(
      `No event has the ID or the value &quot;${none.replace('<b>', '&lt;b&gt;')}&quot;, and of the newest 2,000 none has one that begins with it. Older ones are found by a whole value, such as an email address.`,
    );
  }
});
