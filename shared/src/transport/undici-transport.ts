// Bun replaces the module `undici` with parts of its fetch, and leaves this file alone.
import { Agent, type Dispatcher } from 'undici/index.js';
import { ConfigurationError } from '../errors/error-classes.ts';
import { refuseUnknown } from '../errors/refuse-unknown.ts';
import { requestFailure, timeoutFailure } from './network-failure.ts';
import { decompress } from './node/decompress.ts';
import { RequestQueue } from './node/request-queue.ts';
import { joinBytes, maxResponseBytes, tooLarge } from './read-body.ts';
import { systemClock } from './system-clock.ts';
import type { Transport } from './transport.ts';

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

const names = ['maxResponseBytes', 'maxConnections', 'dispatcher'] as const;

/** For Node 22.19 or newer: keeps connections, limits time and size, follows no redirect. */
export function undiciTransport(options: UndiciTransportOptions = {}): UndiciTransport {
  refuseUnknown(options, 'undiciTransport', names);
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
  const pool = dispatcher ?? new Agent({ allowH2: false, connections: maxConnections });
  return {
    clock: systemClock,
    async send({ method, url, headers, body, timeoutMs, signal }) {
      signal?.throwIfAborted();
      if (!queue.enter()) await queue.wait(signal);
      const response = new ResponseCollector(url, maxBytes);
      const timer = setTimeout(() => response.stop(timeoutFailure(url)), timeoutMs);
      const abort = (): void => response.stop(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        const { origin, pathname, search } = new URL(url);
        // The single timer above covers the whole request.
        const untimed = { headersTimeout: 0, bodyTimeout: 0 };
        pool.dispatch(
          { ...untimed, origin, path: pathname + search, method, headers, body: body ?? null },
          response,
        );
        const bytes = await response.body;
        const encoding = response.headers['content-encoding'];
        const plain = encoding ? await decompress(bytes, encoding, url, maxBytes) : bytes;
        return { status: response.status, headers: response.headers, body: utf8.decode(plain) };
      } catch (error) {
        if (response.stopped) throw response.stopped.reason;
        throw requestFailure(error, url);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        queue.leave();
      }
    },
    close: async () => {
      if (!dispatcher) await pool.close();
    },
  };
}

const utf8 = new TextDecoder();

type Headers = Record<string, string | string[] | undefined>;

/**
 * Collects one response of undici, without the stream of its `request`, a quarter of a call's
 * processor time. Stops as soon as the body is too large.
 */
class ResponseCollector implements Dispatcher.DispatchHandler {
  status = 0;
  headers: Record<string, string> = {};
  /** Why the request was stopped. */
  stopped: { readonly reason: unknown } | undefined;
  readonly #body = Promise.withResolvers<Uint8Array>();
  readonly #url: string;
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(url: string, maxBytes: number) {
    this.#url = url;
    this.#maxBytes = maxBytes;
  }

  /** Resolves with the whole body. */
  get body(): Promise<Uint8Array> {
    return this.#body.promise;
  }

  /** Rejects at once, even while undici still waits for a connection. */
  stop(reason: unknown): void {
    this.stopped = { reason };
    this.#body.reject(reason);
    this.#controller?.abort(reason as Error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.stopped) controller.abort(this.stopped.reason as Error);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
  ): void {
    if (status < 200) return;
    this.status = status;
    // Few responses send a header several times, and a copy costs time.
    const hasLists = Object.values(headers).some(Array.isArray);
    this.headers = (hasLists ? joined(headers) : headers) as Record<string, string>;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    // undici passes it to `onResponseError`.
    if (this.#size > this.#maxBytes) throw tooLarge(this.#url, this.#maxBytes);
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#body.resolve(joinBytes(this.#chunks, this.#size));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    this.#body.reject(error);
  }
}

function joined(headers: Headers): Headers {
  const all = Object.entries(headers);
  return Object.fromEntries(
    all.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
