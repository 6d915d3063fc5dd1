import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import { asRawRequest } from './raw-request.ts';
import type { RawRequest, ZapierRunner } from './runner.ts';
import { readZapierError, type ZapierError } from './zapier-error.ts';

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

const stops = new Set<() => Promise<void>>();

afterEach(async () => {
  await Promise.all([...stops].map((stop) => stop()));
  stops.clear();
});

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.add(async () => {
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  });
  const { port } = server.address() as AddressInfo;
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

async function rawRequestOf(request: IncomingMessage): Promise<RawRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return asRawRequest(request.headers, Buffer.concat(chunks));
}
