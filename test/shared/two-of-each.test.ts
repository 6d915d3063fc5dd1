/*
 * Each test has two of whatever the code keeps apart, so that it fails when a part of a key is left
 * out, or an option is not passed.
 */
import { describe, expect, it } from '@jest/globals';
import { type CallOptions, type Client, clientCredentials } from '@screen-advertising/core';
import { watchAvailability } from '@screen-advertising/core/availability';
import { platformAuth, TokenSource } from '@screen-advertising/core/platform';
import type { RelayClient } from '@screen-advertising/core/relay';
import { sharedAccess } from '../../shared/src/client/shared-access.ts';
import { offer, period } from './availability/screens.ts';
import { relayClient } from './relay/relay-bench.ts';
import { rejection } from './support/rejection.ts';
import { page, problem } from './support/steps.ts';
import { useTokenBench } from './support/token-bench.ts';

const bench = useTokenBench();

it('a scope that is missing keeps a call with another scope from no new token', () => {
  const source = new TokenSource(
    clientCredentials(bench.credentials),
    bench.service.baseUrl,
    bench.clock,
  );
  const isRenewed = (scope: string) => source.forbid('a-token', [scope], false);
  expect(source.forbid('a-token', ['screens:read'], true)).toBe(false);
  expect([isRenewed('screens:read'), isRenewed('coupons:write')]).toEqual([false, true]);
});

it('two accesses of a platform do not share a limit', () => {
  const limit = { requests: 600, perMs: 60_000 };
  const { baseUrl } = bench.service;
  const limiterOf = (accessKey: string) =>
    sharedAccess(
      bench.clock,
      baseUrl,
      platformAuth(accessKey, () => []),
      limit,
    ).limiter;
  expect(limiterOf('one')).toBe(limiterOf('one'));
  expect(limiterOf('one')).not.toBe(limiterOf('other'));
});

describe('the options of a call hold for every page, read', () => {
  type Read = (client: Client, options: CallOptions) => Promise<unknown>;
  it.each<[string, Read]>([
    [
      'in a loop',
      async (client, options) => {
        for await (const _screen of client.screens.list({}, options));
      },
    ],
    ['into one array', (client, options) => client.screens.list({}, options).all()],
    [
      'page by page',
      async (client, options) => {
        for await (const _page of client.screens.list({}, options).pages());
      },
    ],
  ])('%s', async (_how, read) => {
    bench.service.on('GET /screens', page([{ id: 'a' }], 'next', true), problem(503));
    const error = await rejection(read(bench.client(), { retry: false }));
    expect(error).toMatchObject({ status: 503 });
    // Without the option, the second page would be requested again.
    expect(bench.service.receivedFor('GET /screens')).toHaveLength(2);
  });
});

const subscription = { target_url: 'https://n8n.example/hook', events: ['campaign.paid' as const] };
const verbs: Readonly<
  Record<string, (client: RelayClient, options: { signal: AbortSignal }) => unknown>
> = {
  me: (client, options) => client.me(options),
  subscribe: (client, options) => client.subscribe(subscription, options),
  getSubscription: (client, options) => client.getSubscription('sub_1', options),
  listSubscriptions: (client, options) => client.listSubscriptions({}, options),
  unsubscribe: (client, options) => client.unsubscribe('sub_1', options),
  sendTest: (client, options) => client.sendTest('sub_1', options),
  listEvents: (client, options) => client.listEvents({}, options),
  getEvent: (client, options) => client.getEvent('evt_1', options),
};

it.each(Object.entries(verbs))(
  'the request %s of the relay client takes its options',
  async (_verb, send) => {
    const signal = AbortSignal.abort(new Error('not any more'));
    const client = relayClient(bench);
    await expect(send(client, { signal })).rejects.toThrow('not any more');
    expect(Object.keys(client)).toEqual(Object.keys(verbs));
  },
);

it('a pass whose remaining screens all fail ends without them, where a whole pass rejects', async () => {
  offer(bench.service, [
    { id: 'a', share: 50, perDay: 100 },
    { id: 'b', status: 503 },
  ]);
  const input = { change: 'either', share_pct: 10, ...period } as const;
  const watch = (done: string[]) =>
    watchAvailability(bench.client({ retry: false }), input, { seen: { a: 50, b: 5 }, done });
  expect(await watch(['a'])).toMatchObject({
    changes: [],
    done: [],
    seen: { a: 50, b: 5 },
    failures: [{ screen: { id: 'b' } }],
  });
  offer(bench.service, [
    { id: 'a', status: 503 },
    { id: 'b', status: 503 },
  ]);
  expect(await rejection(watch([]))).toMatchObject({ status: 503 });
});
