import { EventEmitter } from 'node:events';
// Bun replaces the module `undici` with parts of its fetch, and leaves this file alone.
import { Agent, buildConnector, type Dispatcher, request as send } from 'undici/index.js';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { timeoutFailure } from './network-failure.ts';
import { decompress } from './node/decompress.ts';
import { dropInterimResponses } from './node/drop-interim-responses.ts';
import { requestFailure } from './node/request-failure.ts';
import { RequestQueue } from './node/request-queue.ts';
import { maxResponseBytes, readBody } from './read-body.ts';
import { systemClock } from './system-clock.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

export { systemClock };

/** The limits of `undiciTransport`, and your own dispatcher. */
export interface UndiciTransportOptions {
  /** Largest body of a response in bytes. Default: 8 MiB, a hundred times the largest page. */
  readonly maxResponseBytes?: number;
  /** Requests under way at once, each on its own connection; the others wait. Default: 100. */
  readonly maxConnections?: number;
  /**
   * For your own proxy or certificate authority; the caller closes it. It should keep idle
   * connections for less time than the service does (`keepAliveTimeout`).
   */
  readonly dispatcher?: Dispatcher;
}

/** A transport that keeps connections open until it is closed. */
export interface UndiciTransport extends Transport {
  /** Closes the kept connections. */
  close(): Promise<void>;
}

/** Shorter than any service keeps an idle connection, and long enough for consecutive calls. */
const momentMs = 100;

/** For Node 22.19 or newer: keeps connections, limits time and size, follows no redirect. */
export function undiciTransport(options: UndiciTransportOptions = {}): UndiciTransport {
  const {
    maxResponseBytes: maxBytes = maxResponseBytes,
    maxConnections = 100,
    dispatcher,
  } = options;
  if (!(Number.isInteger(maxConnections) && maxConnections > 0)) {
    throw new ConfigurationError(
      'maxConnections',
      'maxConnections must be a whole number greater than 0.',
    );
  }
  const queue = new RequestQueue(maxConnections);
  // Over HTTP/2, undici puts all calls on one connection, and keeps it even when it is dead.
  const pool = { allowH2: false, connections: maxConnections, connect: connector() };
  const kept = dispatcher ?? new Agent(pool);
  const fresh =
    dispatcher ?? new Agent({ ...pool, keepAliveTimeout: momentMs, keepAliveMaxTimeout: momentMs });
  return {
    clock: systemClock,
    async send(request) {
      const { isRepeatable = true, signal } = request;
      signal?.throwIfAborted();
      if (!queue.enter()) await queue.wait(signal);
      try {
        return await exchange(request, isRepeatable ? kept : fresh, maxBytes);
      } finally {
        queue.leave();
      }
    },
    close: async () => {
      if (!dispatcher) await Promise.all([kept.close(), fresh.close()]);
    },
  };
}

function connector(): buildConnector.connector {
  const connect = buildConnector({ allowH2: false });
  return (options, callback) =>
    connect(options, (...[error, socket]) =>
      error ? callback(error, null) : callback(null, dropInterimResponses(socket)),
    );
}

const utf8 = new TextDecoder();

/** Aborts one request. As an emitter it costs undici less than an AbortSignal, 7 % of a call. */
class Stop extends EventEmitter {
  isOver = false;
  reason: unknown;

  now(reason: unknown): void {
    this.isOver = true;
    this.reason = reason;
    this.emit('abort');
  }
}

async function exchange(
  request: TransportRequest,
  dispatcher: Dispatcher,
  maxBytes: number,
): Promise<TransportResponse> {
  const { method, url, headers, body, timeoutMs, signal } = request;
  const stop = new Stop();
  const timer = setTimeout(() => stop.now(timeoutFailure(url)), timeoutMs);
  const abort = (): void => stop.now(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let hasHeaders = false;
  try {
    const response = await send(url, {
      method,
      headers,
      body: body ?? null,
      signal: stop,
      // The single timer above covers the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
      dispatcher,
    });
    hasHeaders = true;
    const answerHeaders = joined(response.headers);
    // A length known to fit avoids reading chunk by chunk, which costs a tenth of a call.
    const isSmall = Number(answerHeaders['content-length']) <= maxBytes;
    const bytes = isSmall
      ? await response.body.bytes()
      : await readBody(response.body, url, maxBytes);
    const encoding = answerHeaders['content-encoding'];
    const plain = encoding ? await decompress(bytes, encoding, url, maxBytes) : bytes;
    return { status: response.statusCode, headers: answerHeaders, body: utf8.decode(plain) };
  } catch (error) {
    if (stop.isOver) throw stop.reason;
    throw requestFailure(error, url, !hasHeaders && isKeptSocket(error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return all;
}

/** Whether the socket had carried a response before, so that it was a kept connection. */
function isKeptSocket(error: unknown): boolean {
  const { socket } = error as { socket?: { bytesRead?: number } };
  return (socket?.bytesRead ?? 0) > 0;
}
