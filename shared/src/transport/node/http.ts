import { Agent, type IncomingMessage, request as plain } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { timeoutFailure } from '../network-failure.ts';
import { maxResponseBytes, readBody } from '../read-body.ts';
import { systemClock } from '../system-clock.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { requestFailure } from './request-failure.ts';
import { Slots } from './slots.ts';
import { unpacked } from './unpacked.ts';

/**
 * The default transport in Node.js. It needs no other package and sends at most 100 requests at a
 * time per process. It keeps idle connections for 4 seconds, gives up on responses over 8 MiB, and
 * follows no redirect.
 */
export const httpTransport: Transport = { clock: systemClock, send };

const slots = new Slots(100);
const pool = { keepAlive: true, timeout: 4000 };
const agents = { http: new Agent(pool), https: new SecureAgent(pool) };

async function send(request: TransportRequest): Promise<TransportResponse> {
  const { signal } = request;
  signal?.throwIfAborted();
  if (!slots.take()) await slots.wait(signal);
  try {
    return await exchange(request);
  } finally {
    slots.release();
  }
}

async function exchange(request: TransportRequest): Promise<TransportResponse> {
  const { url, timeoutMs, signal } = request;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(timeoutFailure(url)), timeoutMs);
  const abort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await head(request, stop.signal);
    const headers = joined(response);
    const bytes = await readBody(response, url);
    const text = await unpacked(bytes, headers['content-encoding'], url, maxResponseBytes);
    return { status: response.statusCode ?? 0, headers, body: new TextDecoder().decode(text) };
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw requestFailure(error, url, false);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Resolves when the head of the response has arrived. */
function head(request: TransportRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, url, headers, body, isRepeatable = true } = request;
  const isSecure = url.startsWith('https:');
  // A request that must not be sent twice avoids connections that the service may be closing.
  const agent = isRepeatable && (isSecure ? agents.https : agents.http);
  return new Promise((resolve, reject) => {
    const open = isSecure ? secure : plain;
    const sent = open(url, { method, headers, agent, signal })
      .on('response', resolve)
      .on('error', (error) => reject(requestFailure(error, url, sent.reusedSocket)));
    sent.end(body);
  });
}

function joined({ headersDistinct }: IncomingMessage): Record<string, string> {
  const all = Object.entries(headersDistinct);
  return Object.fromEntries(all.map(([name, values = []]) => [name, values.join(', ')]));
}
