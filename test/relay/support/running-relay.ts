import { randomUUID } from 'node:crypto';
import { signWebhook } from '@screen-advertising/core';
import {
  createRelay,
  type NewToken,
  type Relay,
  type RelayOptions,
} from '@screen-advertising/relay';
import { closeAfterTest } from '../../support/closing.ts';
import { migratedDatabase } from './database.ts';

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
  /** Default: "main". */
  readonly source: string;
  /** A request to the API. Default: with the token of the source. */
  call(method: string, path: string, body?: unknown, token?: string): Promise<RelayResponse>;
  /** Delivers an event to the relay like the service. */
  deliver(event: unknown, options?: DeliverOptions): Promise<RelayResponse>;
}

interface DeliverOptions {
  readonly source?: string;
  readonly secret?: string;
  readonly signature?: string | null;
  readonly signedAt?: number;
}

/** With those that only tests set, side by side. */
export type Options = RelayOptions & RelayOptions['internal'];

/**
 * A relay on an empty database with a frozen clock, a source and a token. A running clock follows
 * the database's. Closes after the test, or after the file if it started before its tests.
 */
export async function start(options: Options = {}): Promise<Running> {
  const databaseUrl = options.databaseUrl ?? (await migratedDatabase());
  const { clock = 'frozen' } = options;
  const internal = {
    ...(clock === 'frozen' && { startAt }),
    random: () => 0,
    ...options,
    clock,
  };
  const relay = await createRelay({
    databaseUrl,
    secretKey,
    allowTargets: ['127.0.0.1'],
    onError: (error) => process.stderr.write(`${String(error)}\n`),
    ...options,
    internal,
  });
  closeAfterTest(() => relay.close());
  const sources = await relay.sources.list();
  if (sources.length === 0) await relay.sources.add('main', sourceSecret);
  const { url } = await relay.listen();
  return withToken(relay, url, databaseUrl, 'main');
}

/** The same relay with a source that nothing else uses, for a test that shares a relay with others. */
export async function ownSource({ relay, url, databaseUrl }: Running): Promise<Running> {
  const name = `source-${randomUUID()}`;
  await relay.sources.add(name, sourceSecret);
  // The ingress reads the sources once a second.
  await relay.clock.advance(1_000);
  return withToken(relay, url, databaseUrl, name);
}

async function withToken(
  relay: Relay,
  url: string,
  databaseUrl: string,
  own: string,
): Promise<Running> {
  const key = await relay.tokens.create(own, `token-${randomUUID()}`);
  return {
    relay,
    url,
    databaseUrl,
    key,
    source: own,
    call: (method, path, body, token = key.token) =>
      send(`${url}/api/v1${path}`, method, { authorization: `Bearer ${token}` }, body),
    deliver: (event, { source = own, secret = sourceSecret, signature, signedAt } = {}) => {
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
