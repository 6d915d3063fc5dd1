import { afterEach } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import {
  createRelay,
  type NewToken,
  type Relay,
  type RelayOptions,
} from '@screen-advertising/relay';
import { freshDatabase } from './database.ts';

// Both have a form that the watch over secrets knows.
export const sourceSecret = 'the-service-signing-secret';
export const secretKey = Buffer.from('rly_the-secret-key-of-the-relays').toString('base64');
export const startAt = '2027-03-01T09:00:00.000Z';

export interface RelayResponse {
  readonly status: number;
  readonly headers: Headers;
  // Errors that the test expects.
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Running {
  readonly relay: Relay;
  readonly url: string;
  readonly databaseUrl: string;
  readonly key: NewToken;
  /** A request to the API. Default: with the token of the source "main". */
  call(method: string, path: string, body?: unknown, token?: string): Promise<RelayResponse>;
  /** Delivers an event to the relay like the service. */
  deliver(event: unknown, options?: DeliverOptions): Promise<RelayResponse>;
}

export interface DeliverOptions {
  readonly source?: string;
  readonly secret?: string;
  readonly signature?: string | null;
  readonly signedAt?: number;
}

const running = new Set<Relay>();

afterEach(async () => {
  await Promise.all([...running].map((relay) => relay.close()));
  running.clear();
});

/**
 * A relay on an empty database with a frozen clock, a source and a token. A running clock follows
 * the database's. Closes after the test.
 */
export async function start(options: RelayOptions = {}): Promise<Running> {
  const databaseUrl = options.databaseUrl ?? (await freshDatabase());
  const { clock = 'frozen' } = options;
  const relay = await createRelay({
    databaseUrl,
    secretKey,
    clock,
    ...(clock === 'frozen' && { startAt }),
    allowTargets: ['127.0.0.1'],
    random: () => 0,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
    ...options,
  });
  running.add(relay);
  const sources = await relay.sources.list();
  if (sources.length === 0) await relay.sources.add('main', sourceSecret);
  const key = await relay.tokens.create('main', `token-${Math.random()}`);
  const { url } = await relay.listen();
  return {
    relay,
    url,
    databaseUrl,
    key,
    call: (method, path, body, token = key.token) =>
      send(`${url}/api/v1${path}`, method, { authorization: `Bearer ${token}` }, body),
    deliver: (event, { source = 'main', secret = sourceSecret, signature, signedAt } = {}) => {
      const body = typeof event === 'string' ? event : JSON.stringify(event);
      const timestamp = signedAt ?? Math.floor(relay.clock.now() / 1000);
      const header = signature === undefined ? signWebhook({ body, secret, timestamp }) : signature;
      return send(
        `${url}/in/${source}`,
        'POST',
        header === null ? {} : { 'x-service-signature': header },
        body,
      );
    },
  };
}

export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<RelayResponse> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}
