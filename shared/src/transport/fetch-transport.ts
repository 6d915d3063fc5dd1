import { networkFailure } from '#network-failure';
import { TransportError } from '../errors/error-classes.ts';
import { refuseUnknown } from '../errors/refuse-unknown.ts';
import { brokenFailure, timeoutFailure } from './network-failure.ts';
import { joinBytes, maxResponseBytes, tooLarge, unexpectedResponse } from './read-body.ts';
import { systemClock } from './system-clock.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

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
  refuseUnknown(options, 'fetchTransport', ['fetch']);
  return {
    clock: systemClock,
    async send(request) {
      request.signal?.throwIfAborted();
      return exchange(request, options.fetch ?? fetch);
    },
  };
}

async function exchange(
  { method, url, headers, body, timeoutMs, signal }: TransportRequest,
  send: NonNullable<FetchTransportOptions['fetch']>,
): Promise<TransportResponse> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(timeoutFailure(url)), timeoutMs);
  const abort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const init = { method, headers, body: body ?? null, redirect: 'manual' } as const;
    const response = await send(url, { ...init, signal: stop.signal });
    if (response.type === 'opaqueredirect') throw redirected(url);
    const bytes = await readStream(response.body, url);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new TextDecoder().decode(bytes),
    };
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw fetchFailure(error, url);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function readStream(body: Response['body'], url: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.byteLength;
    if (size > maxResponseBytes) {
      await reader?.cancel();
      throw tooLarge(url);
    }
    chunks.push(next.value);
  }
  return joinBytes(chunks, size);
}

/** Browsers and workers report every failure as a TypeError or Error, each with its text. */
function fetchFailure(error: unknown, url: string): unknown {
  if (error instanceof TransportError) return error;
  const known = networkFailure(error, url);
  const { name, message } = error as Error;
  if (known || (name !== 'TypeError' && name !== 'Error')) return known ?? error;
  return brokenFailure(url, message, error);
}

/** What browsers show of a redirect that is not followed. */
function redirected(url: string): TransportError {
  const { host } = new URL(url);
  return unexpectedResponse(`${host} redirected the request, which is not followed`);
}
