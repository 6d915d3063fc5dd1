import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Transport, TransportRequest, TransportResponse } from '@screen-advertising/core';
import {
  maxResponseBytes,
  networkFailure,
  systemClock,
  timeoutFailure,
  tooLarge,
} from '@screen-advertising/core/platform';
import type { ZObject } from 'zapier-platform-core';
import packageJson from '../../package.json' with { type: 'json' };
import { isUnauthorized, isUnsent } from './bearer.ts';
import { onRefused } from './refused-response.ts';

export interface TransportOptions {
  /**
   * The statuses that may mean that the token expired: Zapier then fetches another one, of which it
   * must learn by its own error. Default: none.
   */
  readonly renewsOn?: readonly number[];
  /**
   * True when responses hold secrets that Zapier cannot know; its log then shows nothing of them.
   */
  readonly isSecret?: boolean;
}

/** Sends through `z.request`, so that Zapier logs and measures every request. */
export function zapierTransport(z: ZObject, options: TransportOptions = {}): Transport {
  return {
    clock: systemClock,
    async send(request) {
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), request.timeoutMs);
      let refused: TransportResponse = { status: 401, headers: {}, body: '' };
      const keep = onRefused((response) => {
        refused = response;
      });
      try {
        const sent = { ...requestOptions(request, stop.signal), ...keep };
        const response = await (options.isSecret ? sendUnlogged(z, sent) : send(z, sent));
        if (!options.renewsOn?.includes(response.status)) return response;
        throw new z.errors.RefreshAuthError('The service refused the access token.');
      } catch (error) {
        request.signal?.throwIfAborted();
        if (stop.signal.aborted) throw timeoutFailure(request.url, error);
        // The library stops reading a body that is too large, but keeps the connection.
        stop.abort();
        if (!isUnauthorized(error)) throw failure(error, request.url);
        if (isUnsent(error) || options.renewsOn?.includes(401)) throw error;
        return refused;
      } finally {
        clearTimeout(timer);
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

/**
 * Zapier keeps connections while it freezes a process, and the service may close them meanwhile. So
 * changes get a new connection.
 */
const newConnection = { http: new Agent(), https: new SecureAgent() };

type RequestOptions = ReturnType<typeof requestOptions>;

/** Without the word Zapier, its platform would log every request a second time, with its secrets. */
const userAgent = `Zapier ${packageJson.name}/${packageJson.version}`;

function requestOptions(request: TransportRequest, timeout: AbortSignal) {
  const { method, url, headers, body, signal } = request;
  return {
    method,
    url,
    headers: { ...headers, 'user-agent': userAgent },
    ...(body !== undefined && { body }),
    redirect: 'manual' as const,
    size: maxResponseBytes,
    ...(method !== 'GET' && {
      agent: url.startsWith('https:') ? newConnection.https : newConnection.http,
    }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
}

function failure(error: unknown, url: string): unknown {
  const { type } = error as { type?: unknown };
  return type === 'max-size' ? tooLarge(url) : (networkFailure(error, url) ?? error);
}
