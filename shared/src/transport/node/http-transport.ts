// As a whole: tools for tests and tracing replace `request` in the module.
import http, { type Agent, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { ConfigurationError } from '../../errors/error-classes.ts';
import { requestFailure, timeoutFailure } from '../network-failure.ts';
import type { NodeTransportOptions } from '../node-transport-options.ts';
import { maxResponseBytes, readBody } from '../read-body.ts';
import { systemClock } from '../system-clock.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { decompress } from './decompress.ts';
import { RequestQueue } from './request-queue.ts';

/** See `nodeTransport`. */
export function httpTransport({ agent }: NodeTransportOptions = {}): Transport {
  const queue = new RequestQueue(100);
  let own: Agents | undefined;
  return {
    clock: systemClock,
    runtime: `node ${process.versions.node}; ${process.platform}`,
    async send(request) {
      const { signal, url } = request;
      signal?.throwIfAborted();
      if (!queue.enter()) await queue.wait(signal);
      try {
        own ??= agent ? undefined : createAgents();
        const chosen = own?.[protocolOf(url)] ?? (agent as Agent);
        return await exchange(request, chosen);
      } finally {
        queue.leave();
      }
    },
  };
}

let shared: Transport | undefined;

/** All clients of the process share its connections. */
export function defaultTransport(): Transport {
  shared ??= httpTransport();
  return shared;
}

/** One agent for each protocol. */
interface Agents {
  readonly http: Agent;
  readonly https: Agent;
}

function createAgents(): Agents {
  const options = { keepAlive: true, timeout: 4000 };
  return {
    http: new http.Agent({ ...proxyOf(http.globalAgent), ...options }),
    https: new https.Agent({ ...proxyOf(https.globalAgent), ...options }),
  };
}

/** The environment's proxy settings, if Node.js uses them (from version 22.21 and 24.5). */
function proxyOf(globalAgent: Agent): object {
  const { options } = globalAgent as { options?: { proxyEnv?: NodeJS.ProcessEnv } };
  return options?.proxyEnv ? { proxyEnv: options.proxyEnv } : {};
}

function protocolOf(url: string): 'http' | 'https' {
  return url.startsWith('https:') ? 'https' : 'http';
}

async function exchange(request: TransportRequest, agent: Agent): Promise<TransportResponse> {
  const { url, timeoutMs, signal } = request;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(timeoutFailure(url)), timeoutMs);
  const abort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await head(request, agent, stop.signal);
    const headers = joined(response);
    const bytes = await readBody(response, url);
    const encoding = headers['content-encoding'];
    const text = encoding ? await decompress(bytes, encoding, url, maxResponseBytes) : bytes;
    return { status: response.statusCode ?? 0, headers, body: new TextDecoder().decode(text) };
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    if ((error as NodeJS.ErrnoException).code === 'ERR_INVALID_PROTOCOL') throw wrongAgent(url);
    throw requestFailure(error, url);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Resolves when the head of the response has arrived. */
function head(
  { method, url, headers, body }: TransportRequest,
  agent: Agent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = protocolOf(url) === 'https' ? https : http;
    request(url, { method, headers, agent, signal })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });
}

function joined({ headersDistinct }: IncomingMessage): Record<string, string> {
  const all = Object.entries(headersDistinct);
  return Object.fromEntries(all.map(([name, values = []]) => [name, values.join(', ')]));
}

function wrongAgent(url: string): ConfigurationError {
  const protocol = protocolOf(url);
  return new ConfigurationError(
    'agent',
    `The agent of nodeTransport cannot open connections over ${protocol}, as the base URL needs. Pass an Agent of node:${protocol}.`,
  );
}
