import { Agent, type Dispatcher, request as send } from 'undici';
import type { Clock } from '../clock.ts';
import { TransportError } from '../errors/transport-error.ts';
import { networkFailure, timeoutFailure } from './network-failure.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Real time, for programs. */
export const systemClock: Clock = {
  // Monotonic: a clock that is set while the program runs moves no deadline.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

export interface UndiciTransportOptions {
  /** Bytes of one answer's body at most; default 8 MiB, a hundred times the largest page. */
  readonly maxResponseBytes?: number;
  /** For a proxy or a certificate authority of your own; the caller closes it. */
  readonly dispatcher?: Dispatcher;
}

export interface UndiciTransport extends Transport {
  /** Closes the kept connections. */
  close(): Promise<void>;
}

/** For programs on Node 22.19 or newer: keeps connections, bounds time and size, follows no redirect. */
export function undiciTransport(options: UndiciTransportOptions = {}): UndiciTransport {
  const maxBytes = options.maxResponseBytes ?? 8 * 1024 * 1024;
  const own = options.dispatcher ? undefined : new Agent();
  const dispatcher = options.dispatcher ?? own;
  return {
    clock: systemClock,
    send: (request) => exchange(request, dispatcher, maxBytes),
    close: async () => own?.close(),
  };
}

async function exchange(
  request: TransportRequest,
  dispatcher: Dispatcher | undefined,
  maxBytes: number,
): Promise<TransportResponse> {
  const { method, url, headers, body, timeoutMs, signal } = request;
  if (signal?.aborted) throw signal.reason;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(timeoutFailure(url)), timeoutMs);
  const abort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await send(url, {
      method,
      headers,
      body: body ?? null,
      signal: stop.signal,
      // The one timer above bounds all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(dispatcher && { dispatcher }),
    });
    return {
      status: response.statusCode,
      headers: joined(response.headers),
      body: await bounded(response.body, maxBytes, url),
    };
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw failure(error, url);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function bounded(body: Dispatcher.ResponseData['body'], maxBytes: number, url: string) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      body.destroy();
      throw new TransportError(
        `${new URL(url).host} sent more than ${maxBytes} bytes, which no answer of the service needs. Check the base URL.`,
        { code: 'network_error', sent: 'maybe' },
      );
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(chunks.length === 1 ? chunks[0] : concatenated(chunks, size));
}

function concatenated(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function failure(error: unknown, url: string): unknown {
  if (error instanceof TransportError) return error;
  const known = networkFailure(error, url);
  if (!known || known.sent === 'no' || !isKeptSocket(error)) return known ?? error;
  return new TransportError(known.message, {
    code: 'network_error',
    sent: 'maybe',
    isStaleSocket: true,
    cause: error,
  });
}

/** The socket had carried an answer before, so it was a kept connection. */
function isKeptSocket(error: unknown): boolean {
  const { socket } = error as { socket?: { bytesRead?: number } };
  return (socket?.bytesRead ?? 0) > 0;
}
