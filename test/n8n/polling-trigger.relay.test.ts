import { createServer } from 'node:http';
import { describe, expect, it, jest } from '@jest/globals';
import { listen } from '../shared/support/loopback.ts';
import { n8nLogger } from './n8n.ts';
import { eventIds, paid, redeemed, registered, usePolledRelay } from './polled-relay.ts';
import { createPoller } from './poller.ts';

const relay = usePolledRelay();

it('an event starts the workflow once, with its ID and time, or those that the relay gave it', async () => {
  const poller = await relay.published([paid]);
  const timestamp = new Date(relay.running().relay.clock.now()).toISOString();
  const id = await relay.happens(paid);
  await relay.happens(registered);
  await relay.running().relay.clock.advance(1);
  const [created_at, data] = ['2027-02-28T23:59:59.000Z', { campaign_id: 'cmp_1' }];
  await relay.running().deliver({ type: paid, created_at, data });
  const [newest] = (await relay.running().call('GET', '/events')).body.data;
  expect((await poller.poll()).map(({ json }) => json)).toEqual([
    { id, type: paid, timestamp, data: { number: relay.count.events - 1 } },
    { id: newest.id, type: paid, timestamp: created_at, data },
  ]);
  expect(await poller.poll()).toEqual([]);
});

it('the oldest event is first, whatever its type', async () => {
  const poller = await relay.published([paid, redeemed]);
  const expected: string[] = [];
  for (const type of [redeemed, paid, redeemed, paid]) {
    expected.push(await relay.happens(type));
    await relay.running().relay.clock.advance(1);
  }
  expect(eventIds(await poller.poll())).toEqual(expected);
});

describe('the first poll', () => {
  it('takes note of what the relay has stored, and starts nothing', async () => {
    await relay.happens(redeemed);
    const poller = await relay.published([redeemed, paid]);
    const next = [await relay.happens(redeemed), await relay.happens(paid)];
    expect(eventIds(await poller.poll()).sort()).toEqual(next.sort());
  });

  it.each([
    [
      'with a type that was not chosen before',
      paid,
      { parameters: { authentication: 'relay', relayEvents: [paid, redeemed] } },
    ],
    [
      'with another credential',
      redeemed,
      { credentials: { screenAdvertisingRelayApi: { id: 'other', name: 'Other' } } },
    ],
  ])('%s does so, too', async (_what, before, changes) => {
    const node = relay.nodeFor([redeemed]);
    const poller = createPoller(relay.engine(), node);
    await poller.poll();
    await relay.happens(before);
    Object.assign(node, changes);
    poller.restart();
    expect(await poller.poll()).toEqual([]);
    const next = await relay.happens(redeemed);
    expect(eventIds(await poller.poll())).toEqual([next]);
  });
});

it('published again after twelve minutes, it starts with nothing, and later with what it left out', async () => {
  const warn = jest.spyOn(n8nLogger, 'warn').mockReturnValue();
  const node = relay.nodeFor([paid]);
  const poller = createPoller(relay.engine(), node);
  await poller.poll();
  poller.unpublish();
  const left = await relay.happenMany(paid, 30);
  await relay.running().relay.clock.advance(12 * 60_000);
  expect(await poller.poll()).toEqual([]);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('that do not start it: 30. With')]]);
  const next = await relay.happens(paid);
  expect(eventIds(await poller.poll())).toEqual([next]);
  Object.assign(node.parameters, { options: { catchUp: true } });
  poller.update();
  expect(eventIds(await poller.poll()).sort()).toEqual(left.sort());
  expect(await poller.poll()).toEqual([]);
});

it('events that the relay no longer has are reported once, and the trigger continues with the others', async () => {
  const problem = { type: 'about:blank', title: 'Gone', status: 410, detail: 'Pruned.' };
  const event = {
    id: 'evt_9',
    type: paid,
    received_at: 'now',
    position: '9',
    data: {},
    payload: {},
  };
  const page = (position: string, ...data: object[]) => ({
    data,
    pagination: { cursor: null, has_more: false, position },
  });
  const relayed = createServer(({ url = '' }, response) => {
    const after = new URL(url, 'http://relay.example').searchParams.get('after');
    const [status, body, type = 'application/json'] =
      after === 'newest'
        ? [200, page('1')]
        : after === '1'
          ? [410, { ...problem, position: '8' }, 'application/problem+json']
          : [200, after === '8' ? page('9', event) : page('9')];
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
  });
  const { port, close } = await listen(relayed);
  relay.connectTo(`http://127.0.0.1:${port}`);
  const poller = createPoller(relay.engine(), relay.nodeFor([paid]), { budgetMs: 36_000 });
  await poller.poll();
  expect(await poller.poll()).toEqual([]);
  expect(poller.reported).toMatchObject([
    {
      message:
        'Events may be missing: the relay no longer has everything since the last poll (campaign.paid)',
      description:
        'It deletes events after 30 days by default, and a restored backup lacks the newest ones. The trigger continues with the others.',
    },
  ]);
  expect(eventIds(await poller.poll())).toEqual(['evt_9']);
  expect(await poller.poll()).toEqual([]);
  expect(poller.reported).toHaveLength(1);
  await close();
});

describe('while the workflow is being built', () => {
  it('a poll shows the newest of the chosen events, and remembers nothing', async () => {
    await relay.happens(paid);
    await relay.running().relay.clock.advance(1);
    const newest = await relay.happens(redeemed);
    await relay.running().relay.clock.advance(1);
    await relay.happens(registered);
    const poller = relay.publish([paid, redeemed]);
    expect(eventIds(await poller.poll('manual'))).toEqual([newest]);
    expect(eventIds(await poller.poll('manual'))).toEqual([newest]);
    expect(poller.staticData()).toEqual({});
  });

  it('a poll that finds no event says so', async () => {
    await relay.happens(registered);
    await expect(relay.publish([paid]).poll('manual')).rejects.toMatchObject({
      message: 'The relay has received none of the chosen events yet',
      description: 'Choose more events, or test again once one of them has happened.',
    });
  });
});
