import { inspect } from 'node:util';
import { ScreenAdvertisingError } from '@screen-advertising/core';
import { createRelayClient, type RelayClient } from '@screen-advertising/core/relay';
import type { Played, RelayCall, RelayPlayer } from './relay-cell.ts';

const patience = { attempts: 4, maxWaitMs: 180_000, timeoutMs: 30_000 };
const id = 'sub_0001';

type Options = Pick<RelayCall, 'mayBeGone' | 'needsNoBody'>;

/** The core's client of the relay, in a program. */
export const corePlayer: RelayPlayer = {
  calls: [
    call('GET', /^\/me$/, (relay) => relay.me()),
    call('PUT', /^\/subscriptions$/, (relay) =>
      relay.subscribe({ targetUrl: 'https://n8n.example', events: ['coupon.redeemed'] }),
    ),
    call('GET', /^\/subscriptions$/, (relay) => relay.listSubscriptions()),
    call('GET', /^\/subscriptions\/\w+$/, (relay) => relay.getSubscription(id), {
      mayBeGone: true,
    }),
    call('DELETE', /^\/subscriptions\/\w+$/, (relay) => relay.unsubscribe(id), {
      mayBeGone: true,
      needsNoBody: true,
    }),
    call('POST', /^\/subscriptions\/\w+\/test$/, (relay) => relay.sendTest(id), {
      mayBeGone: true,
    }),
    call('GET', /^\/events(\?|$)/, (relay) => relay.listEvents({ type: 'coupon.redeemed' })),
    call('GET', /^\/events\/\w+$/, (relay) => relay.getEvent('evt_0001'), { mayBeGone: true }),
  ],
};

function call(
  method: string,
  path: RegExp,
  send: (relay: RelayClient) => Promise<unknown>,
  options: Options = {},
): RelayCall {
  return {
    name: `core: ${method} ${path.source}`,
    platform: 'node:http',
    route: { method, path },
    patience,
    ...options,
    async play(world) {
      const { baseUrl, clock } = world;
      const { connectorKey } = world.key;
      const relay = createRelayClient({ baseUrl, connectorKey, clock: { ...clock } });
      world.strike();
      return await send(relay).then(() => works, failed);
    },
  };
}

const works: Played = { ends: 'works', text: '', isTyped: true, shown: undefined };

function failed(error: unknown): Played {
  if (!ScreenAdvertisingError.isInstance(error)) {
    return { ends: 'fails', text: String(error), isTyped: false, shown: inspect(error) };
  }
  const { message: text, code } = error;
  const shown = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error)];
  return { ends: 'fails', text, isTyped: true, code, shown };
}
