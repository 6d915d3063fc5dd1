import { createServer, type IncomingMessage } from 'node:http';
import { expect, jest } from '@jest/globals';
import publicApp from 'zapier-screen-advertising/public';
import { type Running, start } from '../../relay/support/running-relay.ts';
import { listen } from '../../shared/support/loopback.ts';
import { closeAfterTest } from '../../support/closing.ts';
import {
  createZapierRunner,
  type RawRequest,
  type RunnerOptions,
  readZapierError,
  type ZapierError,
  type ZapierRunner,
} from './zapier.ts';

/**
 * Whether the Zap is on. Its owner turns it on and off; Zapier pauses it when its address is
 * deleted.
 */
type State = 'on' | 'off' | 'paused';

/** The result of a delivery: the records that start runs, or the error that Zapier shows. */
type Outcome = Record<string, unknown>[] | ZapierError;

export interface HookZap {
  /** The address that Zapier created for the Zap. */
  readonly targetUrl: string;
  readonly state: State;
  /** The results of all deliveries, in order of arrival. */
  outcomes(): Promise<Outcome[]>;
  turnOn(): Promise<void>;
  turnOff(): Promise<void>;
}

/**
 * A Zap with a REST hook, as Zapier runs it. It responds to a delivery with 200 before the app sees
 * it, or with 410 when the Zap is off, and pauses the Zap on DELETE. Its address is closed after
 * the test.
 */
export async function turnOnHookZap(runner: ZapierRunner, key: string): Promise<HookZap> {
  const outcomes: Promise<Outcome>[] = [];
  let state: State = 'off';
  let subscribeData: unknown;

  const server = createServer(async (request, response) => {
    const rawRequest = await rawRequestOf(request);
    if (request.method === 'DELETE') state = 'paused';
    else if (state === 'on') outcomes.push(runner.hook(key, rawRequest).catch(readZapierError));
    response.writeHead(state === 'off' ? 410 : 200).end();
  });
  const { port, close } = await listen(server);
  closeAfterTest(close);
  const targetUrl = `http://127.0.0.1:${port}/hooks/standard/1`;

  const zap = {
    targetUrl,
    get state() {
      return state;
    },
    outcomes: () => Promise.all(outcomes),
    async turnOn() {
      subscribeData = await runner.run(`triggers.${key}.operation.performSubscribe`, { targetUrl });
      state = 'on';
    },
    async turnOff() {
      state = 'off';
      await runner.run(`triggers.${key}.operation.performUnsubscribe`, {
        targetUrl,
        subscribeData,
      });
    },
  };
  await zap.turnOn();
  return zap;
}

/** As Zapier passes it on: `x-service-signature` becomes `Http-X-Service-Signature`. */
async function rawRequestOf(request: IncomingMessage): Promise<RawRequest> {
  let content = '';
  for await (const text of request.setEncoding('utf8')) content += text;
  const named = Object.entries(request.headers).map(([name, value]) => [
    `Http-${name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}`,
    String(value),
  ]);
  return { headers: Object.fromEntries(named), content };
}

export interface Relayed extends Running {
  readonly zapier: ZapierRunner;
}

/**
 * A connection of the public variant to a relay, which is a new one unless it is given. During the
 * test, Zapier reads the time from the relay's clock, which the test moves.
 */
export async function startRelayed(
  options: Partial<RunnerOptions> = {},
  given?: Running,
): Promise<Relayed> {
  const running = given ?? (await start());
  const now = jest.spyOn(Date, 'now').mockImplementation(() => running.relay.clock.now());
  closeAfterTest(() => now.mockRestore());
  const zapier = createZapierRunner({
    baseUrl: 'https://service.example/api/v1',
    credentials: { apiKey: 'svc_abc' },
    app: publicApp,
    fields: { relay_base_url: running.url, connector_key: running.key.connectorKey },
    ...options,
  });
  return { ...running, zapier };
}

/** The service delivers an event to the relay, which delivers it to all who subscribed. */
export async function happen({ deliver, relay }: Relayed, event: unknown): Promise<void> {
  expect((await deliver(event)).status).toBe(202);
  await relay.clock.advance(0);
}
