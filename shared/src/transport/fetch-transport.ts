import { refuseUnknownOptions } from '#habits';
import { networkFailure } from '#network-failure';
import { ConfigurationError, TransportError } from '../errors/error-classes.ts';
import {
  BodyChunks,
  decodeBody,
  maxResponseBytes,
  responseTooLargeError,
  type SendProgress,
  sendWithinTime,
  unexpectedResponseError,
} from './exchange.ts';
import { brokenConnectionFailure } from './network-failure.ts';
import { systemClock } from './system-clock.ts';
import type { Transport, TransportRequest } from './transport.ts';

/** The options of `fetchTransport`. */
export interface FetchTransportOptions {
  /** Default: the global `fetch`, read at each request. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * A transport over Fetch, for browsers, workers, and your own `fetch`. It gives up on
 * responses over 8 MiB and follows no redirect. Fetch chooses the connection, so a change can be
 * sent over one that the service is closing: its outcome is then unknown.
 */
export function fetchTransport(options: FetchTransportOptions = {}): Transport {
  refuseUnknownOptions(options, 'fetchTransport', ['fetch']);
  return {
    clock: systemClock,
    async send(request) {
      const send = options.fetch ?? globalThis.fetch;
      if (typeof send !== 'function') throw noFetch();
      return sendWithinTime(request, fetchFailure, (progress) => sendOver(send, request, progress));
    },
  };
}

async function sendOver(
  send: NonNullable<FetchTransportOptions['fetch']>,
  { method, url, headers: sent, body }: TransportRequest,
  { onStop, onHead }: SendProgress,
): Promise<string> {
  const stop = new AbortController();
  onStop(() => stop.abort());
  const { signal } = stop;
  const response = await send(url, {
    method,
    headers: sent,
    body: body ?? null,
    redirect: 'manual',
    signal,
  });
  if (response.type === 'opaqueredirect') throw redirected(url);
  // The service has switched to another protocol.
  if (response.status === 101) throw new TypeError('status 101');
  const headers = Object.fromEntries(response.headers);
  onHead({ status: response.status, headers });
  // Reading a stream costs a tenth of a call. In jsdom, only the given fetch can decode.
  const isSmall =
    Number(headers['content-length']) <= maxResponseBytes && !headers['content-encoding'];
  if (isSmall || typeof TextDecoder === 'undefined') return checkedText(await response.text(), url);
  return decodeBody(await bytesOf(response, url));
}

function checkedText(text: string, url: string): string {
  if (text.length > maxResponseBytes) throw responseTooLargeError(url);
  return text;
}

/** Not every body is a stream of bytes: node-fetch has one of Node.js, React Native none. */
async function bytesOf(response: Response, url: string): Promise<Uint8Array> {
  const chunks = new BodyChunks();
  const reader = response.body?.getReader?.();
  if (!reader) chunks.add(new Uint8Array(await response.arrayBuffer()));
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    if (!chunks.add(next.value)) break;
  }
  if (!chunks.isTooLarge) return chunks.joined;
  await reader?.cancel();
  throw responseTooLargeError(url);
}

/** Browsers and workers report every failure as a TypeError or Error, each with its text. */
function fetchFailure(error: unknown, url: string): unknown {
  if (error instanceof TransportError) return error;
  const known = networkFailure(error, url);
  // A fetch of the caller may reject with anything.
  const { name, message } = Object(error) as Error;
  if (known || (name !== 'TypeError' && name !== 'Error')) return known ?? error;
  return brokenConnectionFailure(url, message, error);
}

/** The error for a redirect, which browsers do not follow and say no more of. */
function redirected(url: string): TransportError {
  const { host } = new URL(url);
  return unexpectedResponseError(`${host} redirected the request, which is not followed`);
}

function noFetch(): ConfigurationError {
  const remedy = 'Pass transport: fetchTransport({ fetch }), from @screen-advertising/core/fetch.';
  return new ConfigurationError('transport', 'This runtime has no fetch', remedy);
}

/** `#default-transport` in browsers and workers: this one, and none of Node.js. */
export { fetchTransport as defaultTransport };

export function httpTransport(): never {
  throw new ConfigurationError(
    'transport',
    'nodeTransport needs node:http, which this runtime does not have. Use fetchTransport of @screen-advertising/core/fetch.',
  );
}
