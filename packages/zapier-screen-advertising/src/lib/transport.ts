import { setTimeout as sleep } from 'node:timers/promises';
import {
  networkFailure,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
  timeoutFailure,
} from '@screen-advertising/core';
import type { ZObject } from 'zapier-platform-core';
import { largestAnswer } from './limits.ts';
import { isUnauthorized } from './refresh-auth.ts';
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
  /** True when answers hold secrets that Zapier cannot know: its log then shows nothing of them. */
  readonly isSecret?: boolean;
}

/** Sends through `z.request`, so that Zapier logs and measures every request. */
export function zapierTransport(z: ZObject, options: TransportOptions): Transport {
  return {
    clock,
    async send(request) {
      const limit = timeLimit(request.timeoutMs);
      try {
        const asked = requestOptions(request, limit.signal);
        return await (options.isSecret ? sendUnlogged(z, asked) : send(z, asked));
      } catch (error) {
        request.signal?.throwIfAborted();
        if (limit.signal.aborted) throw timeoutFailure(request.url, error);
        if (!isUnauthorized(error)) throw failure(error, request.url);
        if (options.canRenewToken) throw error;
        return { status: 401, headers: {}, body: '' };
      } finally {
        limit.stop();
      }
    },
  };
}

async function send(z: ZObject, request: RequestOptions): Promise<TransportResponse> {
  const { status, headers, content } = await z.request(request);
  return { status, headers: Object.fromEntries(headers.entries()), body: content };
}

async function sendUnlogged(z: ZObject, request: RequestOptions): Promise<TransportResponse> {
  const response = await z.request({ ...request, raw: true });
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers.entries()), body: await response.text() };
}

type RequestOptions = ReturnType<typeof requestOptions>;

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

function failure(error: unknown, url: string): unknown {
  const { type } = error as { type?: unknown };
  if (type !== 'max-size') return networkFailure(error, url) ?? error;
  return new TransportError(
    `${new URL(url).host} sent more than ${largestAnswer} bytes, which no answer of the service needs. Check the base URL.`,
    { code: 'network_error', sent: 'maybe', isRetryable: false, cause: error },
  );
}
