import { setTimeout as sleep } from 'node:timers/promises';
import {
  networkFailure,
  type Transport,
  TransportError,
  type TransportRequest,
  timeoutFailure,
} from '@screen-advertising/core';
import type { ZObject } from 'zapier-platform-core';
import { largestAnswer } from './limits.ts';
import { timeLimit } from './time-limit.ts';

const clock: Transport['clock'] = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, signal && { signal });
    } catch (error) {
      // Node rejects with an error of its own; the caller waits for the reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
};

export interface TransportOptions {
  /** True when Zapier can fetch another token: it must then learn of a 401 by its own error. */
  readonly canRenewToken: boolean;
}

/** Sends through `z.request`, so that Zapier logs and measures every request. */
export function zapierTransport(z: ZObject, { canRenewToken }: TransportOptions): Transport {
  return {
    clock,
    async send(request) {
      const limit = timeLimit(request.timeoutMs);
      try {
        const response = await z.request(requestOptions(request, limit.signal));
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers.entries()),
          body: response.content,
        };
      } catch (error) {
        request.signal?.throwIfAborted();
        if (limit.signal.aborted) throw timeoutFailure(request.url, error);
        if (!isUnauthorized(error)) throw failure(error, request.url);
        if (canRenewToken) throw error;
        return { status: 401, headers: {}, body: '' };
      } finally {
        limit.stop();
      }
    },
  };
}

function requestOptions(request: TransportRequest, timeout: AbortSignal) {
  const { method, url, headers, body, signal } = request;
  return {
    method,
    url,
    headers: { ...headers },
    ...(body !== undefined && { body }),
    redirect: 'manual' as const,
    size: largestAnswer,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
}

/** `z.request` answers every 401 of a session with this error, whatever else it was told. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && error.name === 'RefreshAuthError';
}

function failure(error: unknown, url: string): unknown {
  const { type } = error as { type?: unknown };
  if (type !== 'max-size') return networkFailure(error, url) ?? error;
  return new TransportError(
    `${new URL(url).host} sent more than ${largestAnswer} bytes, which no answer of the service needs. Check the base URL.`,
    { code: 'network_error', sent: 'maybe', cause: error },
  );
}
