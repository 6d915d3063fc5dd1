import type { Dispatcher } from 'undici/index.js';
import { refuseUnknownOptions } from '#habits';
import { ConfigurationError } from '../errors/error-classes.ts';
import {
  BodyChunks,
  RequestQueue,
  responseTooLargeError,
  type SendProgress,
  sendWithinTime,
} from './exchange.ts';
import { requestFailure } from './network-failure.ts';
import { decompressBody, headersAcceptingGzip, proxyEnvironment } from './node/gzip-and-proxy.ts';
import { systemClock } from './system-clock.ts';

import type { Transport } from './transport.ts';

/** The options of `undiciTransport`. */
export interface UndiciTransportOptions {
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

/**
 * With undici 7 or 8: keeps connections, sends at most 100 requests at a time to an origin, gives up
 * on responses over 8 MiB, and follows no redirect. Uses the environment's proxy where Node.js does.
 */
export function undiciTransport(options: UndiciTransportOptions = {}): UndiciTransport {
  refuseUnknownOptions(options, 'undiciTransport', ['dispatcher']);
  const { dispatcher } = options;
  const queue = new RequestQueue();
  let own: Promise<Dispatcher> | undefined;
  return {
    clock: systemClock,
    send: async (request) => {
      own ??= dispatcher ? undefined : createAgent();
      const pool = dispatcher ?? ((await own) as Dispatcher);
      return queue.run(request, ({ origin, pathname, search }) => {
        const { method, body = null, url } = request;
        const headers = headersAcceptingGzip(request);
        const sent = { ...untimed, origin, path: pathname + search, method, headers, body };
        // A dispatcher of the caller, such as undici's MockAgent, need not report the start.
        let isSent = dispatcher !== undefined;
        const onStart = (): void => {
          isSent = true;
        };
        return sendWithinTime(
          request,
          failureOf,
          async (progress) => dispatched(pool, sent, url, { ...progress, onStart }),
          () => !isSent,
        );
      });
    },
    close: async () => {
      await (await own)?.close();
    },
  };
}

/** Not before the first request: its own error at import would not say which versions work. */
async function createAgent(): Promise<Dispatcher> {
  // Bun replaces the module `undici` with parts of its fetch, and leaves this file alone.
  const undici = await import('undici/index.js').catch(() => undefined);
  // Version 6 does not have them.
  if (!undici || !('cacheStores' in undici)) throw wrongVersion();
  // Each address of a name gets two seconds, as in nodeTransport.
  const patient = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2000 };
  // Over HTTP/2, undici puts all calls on one connection, and keeps it even when it is dead.
  const options = { allowH2: false, ...patient };
  return proxyEnvironment()
    ? new undici.EnvHttpProxyAgent({ ...options, proxyTunnel: false })
    : new undici.Agent(options);
}

function wrongVersion(): ConfigurationError {
  const remedy = 'Install undici 7 (Node.js 20.18 or newer) or 8 (Node.js 22.19 or newer).';
  return new ConfigurationError('transport', 'undiciTransport found no undici that works', remedy);
}

function failureOf(error: unknown, url: string, wasConnecting: boolean): unknown {
  // Version 6 expects a handler with other methods.
  const isOld = (Object(error) as Error).message === 'invalid onError method';
  return isOld ? wrongVersion() : requestFailure(error, url, wasConnecting);
}

/** The timer of the exchange covers the whole request. */
const untimed = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * Collects one response, without the stream of undici's `request`, a quarter of a call's processor
 * time. Resolves with the text of its body.
 */
function dispatched(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  url: string,
  { onStop, onHead, onStart }: SendProgress & { onStart(): void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks = new BodyChunks();
    let encoding: string | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: Error | undefined;
    onStop(() => {
      stopped = new Error('stopped');
      controller?.abort(stopped);
    });
    pool.dispatch(request, {
      onRequestStart(given) {
        onStart();
        controller = given;
        // It was stopped while undici waited for a connection.
        if (stopped) given.abort(stopped);
      },
      onResponseStart(_controller, status, received) {
        if (status < 200) return;
        const headers = joined(received);
        encoding = headers['content-encoding'];
        onHead({ status, headers });
      },
      onResponseData(_controller, chunk) {
        // undici passes it to `onResponseError`.
        if (!chunks.add(chunk)) throw responseTooLargeError(url);
      },
      onResponseEnd() {
        resolve(decompressBody(chunks.joined, encoding, url));
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    });
  });
}

/** Few responses send a header several times, and a copy costs time. */
function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const all = Object.entries(headers);
  return (
    all.some(([, value]) => Array.isArray(value))
      ? Object.fromEntries(all.map(([name, value]) => [name, String([value].flat().join(', '))]))
      : headers
  ) as Record<string, string>;
}
