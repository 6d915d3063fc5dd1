import { Agent, type ClientRequest, globalAgent, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, globalAgent as secureGlobalAgent } from 'node:https';
import { unzipSync } from 'node:zlib';
import type { Transport, TransportRequest, TransportResponse } from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import {
  maxResponseBytes,
  networkFailure,
  responseTooLargeError,
  systemClock,
  timeoutFailure,
} from '@screen-advertising/core/platform';
import type { BeforeRequestMiddleware, ZObject } from 'zapier-platform-core';
import packageJson from '../../package.json' with { type: 'json' };
import { readConnection } from './connection.ts';

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
      const watched: Watched = {};
      const accepted = (response: TransportResponse): TransportResponse => {
        if (!options.renewsOn?.includes(response.status)) return response;
        throw new z.errors.RefreshAuthError('The service refused the access token.');
      };
      try {
        const sent = requestOptions(request, stop.signal, watched);
        return accepted(await (options.isSecret ? sendUnlogged(z, sent) : send(z, sent)));
      } catch (error) {
        request.signal?.throwIfAborted();
        const { head } = watched;
        if (isUnauthorizedError(error)) {
          if (isErrorBeforeSending(error) || options.renewsOn?.includes(head?.status ?? 401))
            throw error;
          const body = await watched.refusal;
          return { status: 401, headers: {}, ...head, body: body ?? '' };
        }
        const isLate = stop.signal.aborted;
        // The status is known, whatever became of the body. The library cannot unpack an empty one.
        const isEmpty = head?.headers['content-length'] === '0';
        if (head && (head.status >= 300 || isEmpty)) return accepted({ ...head, body: '' });
        throw isLate ? timeoutFailure(request.url, error) : failure(error, request.url);
      } finally {
        clearTimeout(timer);
        // The library keeps the connection of a body that it does not read to its end.
        stop.abort();
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
const keptConnection = { http: globalAgent, https: secureGlobalAgent };

type RequestOptions = ReturnType<typeof requestOptions>;

/** Without the word Zapier, its platform would log every request a second time, with its secrets. */
const userAgent = `Zapier ${packageJson.name}/${packageJson.version}`;

function requestOptions(request: TransportRequest, timeout: AbortSignal, watched: Watched) {
  const { method, url, headers, body, signal } = request;
  const agents = method === 'GET' ? keptConnection : newConnection;
  return {
    method,
    url,
    headers: { ...headers, 'user-agent': userAgent },
    ...(body !== undefined && { body }),
    redirect: 'manual' as const,
    size: maxResponseBytes,
    agent: watching(url.startsWith('https:') ? agents.https : agents.http, watched),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
}

function failure(error: unknown, url: string): unknown {
  const { type } = error as { type?: unknown };
  return type === 'max-size' ? responseTooLargeError(url) : (networkFailure(error, url) ?? error);
}

/** The parts that `z.request` drops: the head of a response whose body it cannot read, and each 401. */
interface Watched {
  head?: Omit<TransportResponse, 'body'>;
  /** The text of a 401. Never rejects. */
  refusal?: Promise<string>;
}

/** How Node.js hands a request to an agent. */
type Adding = { addRequest(request: ClientRequest, ...more: unknown[]): void };

/** The agent, which also notes what arrives. */
function watching(agent: Agent, watched: Watched): Agent {
  const addRequest: Adding['addRequest'] = (request, ...more) => {
    request.once('response', (response) => {
      watched.head = headOf(response);
      if (watched.head.status === 401) watched.refusal = textOf(response);
    });
    (agent as Agent & Adding).addRequest(request, ...more);
  };
  return Object.assign(Object.create(agent) as Agent, { addRequest });
}

function headOf({ statusCode = 0, headersDistinct }: IncomingMessage): Required<Watched>['head'] {
  const headers = Object.entries(headersDistinct);
  return {
    status: statusCode,
    headers: Object.fromEntries(headers.map(([name, values = []]) => [name, values.join(', ')])),
  };
}

/** Bytes. A body that is not read otherwise stops arriving after as many. */
const maxRefusalBytes = 16 * 1024;

/** Listens to a body beside Zapier's core. Empty for one that is too large or breaks off. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const isWhole = await new Promise<boolean>((resolve) => {
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxRefusalBytes) resolve(false);
    });
    response.on('end', () => resolve(true));
    response.on('close', () => resolve(false));
  });
  return isWhole ? unpacked(Buffer.concat(chunks), response.headers['content-encoding']) : '';
}

/** Zapier's core accepts gzip and deflate. */
function unpacked(bytes: Buffer, encoding: string | undefined): string {
  try {
    return String(encoding ? unzipSync(bytes, { maxOutputLength: 64 * maxRefusalBytes }) : bytes);
  } catch {
    return '';
  }
}

/** Marks a request that follows a redirect: it carries no token, whatever its address. */
export const redirectedRequestMark = { middlewareData: { isRedirected: true } };

/**
 * Adds the bearer token to requests below the base URL, and to no others. Zapier does not follow
 * redirects with it: it would send the token along to other ports and to subdomains. A token near
 * its expiry makes Zapier fetch another one before anything is sent.
 */
export const addBearerToken: BeforeRequestMiddleware = (request, z, bundle) => {
  const { baseUrl, credentials } = readConnection(bundle.authData);
  const isOurs = isBelow(request.url, baseUrl) && !request.middlewareData?.isRedirected;
  if (!isOurs || request.url === `${baseUrl}${tokenEndpoint.path}`) return request;
  const token = credentials.kind === 'api-key' ? credentials.key : usableToken(bundle.authData);
  if (!token) {
    throw beforeSending(new z.errors.RefreshAuthError('The access token is about to expire.'));
  }
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  return { ...request, headers, redirect: 'manual' };
};

/** Compares the address that is requested: one from a record may lead out of the base URL by `..`. */
function isBelow(url: string, baseUrl: string): boolean {
  return URL.canParse(url) && new URL(url).href.startsWith(`${baseUrl}/`);
}

function usableToken(authData: Record<string, string>): string | undefined {
  const isDue = Date.parse(authData.renew_at ?? '') <= Date.now();
  return isDue ? undefined : authData.access_token;
}

/**
 * The statuses that may mean that the access token expired, and not that the access or a scope is
 * missing. Empty for a token that is too young to have expired.
 */
export function tokenRenewalStatuses(authData: Record<string, string>): number[] {
  if (readConnection(authData).credentials.kind === 'api-key') return [];
  const doubtFrom = Date.parse(authData.doubt_from ?? '');
  if (doubtFrom > Date.now()) return [];
  return doubtFrom <= Date.now() && authData.is_early !== 'yes' ? [401, 403] : [401];
}

/*
 * Zapier fetches another token when a step throws its RefreshAuthError. Three things throw it here:
 * a 401 from the service, a 403 to an older token, and a token that was too old to send.
 */

/** `z.request` throws this error for every 401 of a session, whatever its options. */
export function isUnauthorizedError(error: unknown): boolean {
  return error instanceof Error && error.name === 'RefreshAuthError';
}

/** Marks the error that is thrown before anything was sent. */
function beforeSending(error: Error): Error {
  return Object.assign(error, { isBeforeSending: true });
}

/** Whether nothing was sent, unlike with a 401 of the service. */
export function isErrorBeforeSending(error: unknown): boolean {
  return error instanceof Error && 'isBeforeSending' in error;
}
