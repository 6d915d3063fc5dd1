import { inspect } from 'node:util';
import { jest } from '@jest/globals';
import publicApp from 'zapier-screen-advertising/public';
import { createZapierRunner, type ZapierRunner } from '../../../zapier/app/runner.ts';
import { readZapierError } from '../../../zapier/app/zapier-error.ts';
import type { RelayCall, RelayPlayer } from './relay-cell.ts';

const patience = { attempts: 3, maxWaitMs: 900, timeoutMs: 25_000, deadlineMs: 25_000 };
const operation = 'triggers.coupon_redeemed_through_relay.operation';
const targetUrl = 'https://hooks.zapier.com/hooks/standard/1';
const errors = new Set(['AppError', 'HaltedError', 'ThrottledError', 'ExpiredAuthError']);

/** Each request of the app to a relay, on zapier-platform-core. */
export const zapierPlayer: RelayPlayer = {
  // Pauses are random, and kept short here.
  open: async () => jest.spyOn(Math, 'random').mockReturnValue(0.01),
  close: async () => jest.restoreAllMocks(),
  calls: [
    call('subscribing', 'PUT', /^\/subscriptions$/, (zapier) =>
      zapier.run(`${operation}.performSubscribe`, { targetUrl }),
    ),
    call(
      'unsubscribing',
      'DELETE',
      /^\/subscriptions\/\w+$/,
      (zapier) =>
        zapier.run(`${operation}.performUnsubscribe`, {
          targetUrl,
          subscribeData: { id: 'sub_0001' },
        }),
      { mayBeGone: true, needsNoBody: true, tolerates: 'a rejected key' },
    ),
    call('listing examples', 'GET', /^\/events(\?|$)/, (zapier) =>
      zapier.run(`${operation}.performList`),
    ),
    call('testing the connection', 'GET', /^\/me$/, (zapier) => zapier.connect(), {
      patience: { ...patience, deadlineMs: 12_500 },
    }),
  ],
};

function call(
  name: string,
  method: string,
  path: RegExp,
  act: (zapier: ZapierRunner) => Promise<unknown>,
  options: Partial<RelayCall> = {},
): RelayCall {
  return {
    name: `Zapier: ${name}`,
    platform: 'zapier',
    route: { method, path },
    patience,
    ...options,
    async play(world) {
      const log: unknown[] = [];
      const service = world.open(() => Response.json({ data: [] }));
      const zapier = createZapierRunner({
        baseUrl: service.baseUrl,
        credentials: { apiKey: 'svc_abc' },
        app: publicApp,
        fields: { relay_base_url: world.baseUrl, connector_key: world.key.connectorKey },
        event: { customLogger: (...line: unknown[]) => log.push(line) },
      });
      world.strike();
      try {
        return { ends: 'works', text: '', isTyped: true, shown: [log, await act(zapier)] };
      } catch (error) {
        const { name: kind, message: text } = readZapierError(error);
        const shown = [log, inspect(error, { depth: 9, showHidden: true })];
        return { ends: 'fails', text, isTyped: errors.has(kind), shown };
      } finally {
        service.leave();
      }
    },
  };
}
