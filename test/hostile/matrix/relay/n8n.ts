import { inspect } from 'node:util';
import { jest } from '@jest/globals';
import { testCredential } from '../../../n8n/engine/credential-dialog.ts';
import { Engine } from '../../../n8n/engine/engine.ts';
import { n8nLogger } from '../../../n8n/engine/n8n.ts';
import { createPoller, type Poller } from '../../../n8n/engine/poller.ts';
import { createMain, type Main } from '../../../n8n/engine/webhook-lifecycle.ts';
import type { Played, RelayCall, RelayPlayer } from './relay-cell.ts';
import type { RelayWorld } from './relay-world.ts';

const lifecycle = { attempts: 3, maxWaitMs: 5_000, timeoutMs: 20_000, deadlineMs: 10_000 };
const testing = { ...lifecycle, deadlineMs: 20_000 };
const polling = { attempts: 4, maxWaitMs: 180_000, timeoutMs: 30_000 };
const once = { attempts: 1, maxWaitMs: 0, timeoutMs: 30_000 };

const list = { method: 'GET', path: /^\/subscriptions(\?|$)/ };
const one = { method: 'GET', path: /^\/subscriptions\/\w+$/ };
const put = { method: 'PUT', path: /^\/subscriptions$/ };
const remove = { method: 'DELETE', path: /^\/subscriptions\/\w+$/ };
const test = { method: 'POST', path: /^\/subscriptions\/\w+\/test$/ };
const me = { method: 'GET', path: /^\/me$/ };
const events = { method: 'GET', path: /^\/events(\?|$)/ };

const event = 'coupon.redeemed';
const errors = new Set(['NodeOperationError', 'NodeApiError']);
/** So many turns of the event loop after it responded, a background request has ended. */
const turns = 60;

type Act = (n8n: Main, world: RelayWorld) => Promise<unknown>;

/** Each request of both triggers and of the credential, on n8n's own engine. */
export function n8nPlayer(): RelayPlayer {
  let engine: Promise<Engine> | undefined;
  const log: string[] = [];

  async function engineOf({ baseUrl, key, clock }: RelayWorld): Promise<Engine> {
    log.length = 0;
    engine ??= Engine.start({}, clock);
    const { connectorKey } = key;
    const started = await engine;
    started.credentials.screenAdvertisingRelayApi = { baseUrl, connectorKey };
    return started;
  }

  function ofLifecycle(
    name: string,
    route: RelayCall['route'],
    act: Act,
    options: Partial<RelayCall> = {},
  ): RelayCall {
    return {
      name: `n8n: ${name}`,
      platform: 'n8n',
      route,
      patience: lifecycle,
      // A workflow that cannot be published is unpublished.
      times: 2,
      ...options,
      async play(world) {
        const database = { staticData: '{}' };
        const trigger = {
          id: 'node-1',
          webhookId: '1',
          type: 'screenAdvertisingTrigger',
          parameters: { delivery: 'relay', events: [event] },
        };
        const n8n = createMain(await engineOf(world), trigger, {
          database,
          webhookUrl: () => 'https://n8n.example',
        });
        if (options.isPrepared) await n8n.publish();
        else world.strike();
        const played = await act(n8n, world).then(() => logged(log), failed);
        return { ...played, shown: [played.shown, log, database], stored: database.staticData };
      },
    };
  }

  function ofPoll(
    name: string,
    act: (poller: Poller, world: RelayWorld) => Promise<unknown>,
    isPrepared = false,
  ): RelayCall {
    return {
      name: `n8n: ${name}`,
      platform: 'n8n',
      route: events,
      patience: polling,
      listMs: 5 * 60_000,
      isPrepared,
      async play(world) {
        const poller = createPoller(await engineOf(world), {
          type: 'screenAdvertisingPollingTrigger',
          parameters: { authentication: 'relay', relayEvents: [event] },
        });
        if (isPrepared) await poller.poll();
        world.strike();
        const played = await act(poller, world).then(() => works, failed);
        const stored = JSON.stringify(poller.staticData());
        return { ...played, shown: [played.shown, log, stored], stored };
      },
    };
  }

  const prepared = { isPrepared: true };
  const maybeGone = { isPrepared: true, mayBeGone: true };
  const removing = { mayBeGone: true, needsNoBody: true };
  const init = begun((n8n) => n8n.publish('init'));
  const update = begun((n8n) => n8n.publish('update'));
  const unpublish = begun((n8n) => n8n.unpublish());
  const publish: Act = (n8n) => n8n.publish();
  return {
    async open() {
      for (const level of ['error', 'warn', 'info'] as const) {
        jest.spyOn(n8nLogger, level).mockImplementation((text) => void log.push(text));
      }
    },
    close: async () => jest.restoreAllMocks(),
    calls: [
      ofLifecycle('subscribing', put, publish),
      ofLifecycle('finding leftovers', list, publish, { listMs: 30_000 }),
      ofLifecycle('removing a leftover', remove, publish, removing),
      ofLifecycle('trying the target', test, publish, { patience: testing, tolerates: 'all' }),
      ofLifecycle('checking at its start', one, init, { ...maybeGone, tolerates: 'retryable' }),
      ofLifecycle('checking', one, update, maybeGone),
      ofLifecycle('finding what to remove', list, unpublish, { ...prepared, listMs: 30_000 }),
      ofLifecycle('unsubscribing', remove, unpublish, { ...prepared, ...removing }),
      ofLifecycle('asking for a test event', test, listen(log), {
        ...maybeGone,
        patience: testing,
      }),
      ofPoll('the first poll', (poller) => poller.poll()),
      ofPoll('a later poll', (poller) => poller.poll(), true),
      ofPoll('a poll in the editor', (poller) => poller.poll('manual')),
      dialog(engineOf),
    ],
  };
}

/** The fault strikes once the workflow is published. */
function begun(act: Act): Act {
  return async (n8n, world) => {
    world.strike();
    await act(n8n, world);
  };
}

/** n8n does not wait for the test event. */
function listen(log: readonly string[]): Act {
  return begun(async (n8n, world) => {
    await n8n.listen();
    for (let turn = 0; turn < turns && log.length === 0; turn += 1) {
      if (world.isBusy || world.mustFail) turn = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
}

function dialog(engineOf: (world: RelayWorld) => Promise<Engine>): RelayCall {
  return {
    name: 'n8n: testing the credential',
    platform: 'n8n',
    route: me,
    patience: once,
    async play(world) {
      const engine = await engineOf(world);
      const { baseUrl } = world;
      const { connectorKey } = world.key;
      world.strike();
      const data = { baseUrl, connectorKey };
      const { status, message } = await testCredential(engine, 'screenAdvertisingRelayApi', data);
      const ends = status === 'OK' ? 'works' : 'fails';
      return { ends, text: message, isTyped: true, shown: message };
    },
  };
}

const works: Played = { ends: 'works', text: '', isTyped: true, shown: undefined };

/** What n8n only logs is a failure, too, unless it continues without. */
function logged(log: readonly string[]): Played {
  const text = log.find((line) => /could not be unsubscribed|did not deliver a test/.test(line));
  return text === undefined ? works : { ...works, ends: 'fails', text };
}

function failed(error: unknown): Played {
  const { name, message, description } = error as Error & { description?: string };
  const text = [message, description].filter(Boolean).join(' ');
  const shown = inspect(error, { depth: 12, showHidden: true });
  return { ends: 'fails', text, isTyped: errors.has(name), shown };
}
