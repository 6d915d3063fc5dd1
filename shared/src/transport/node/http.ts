import { Agent, type IncomingMessage, request as plain } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { collected, largestAnswer } from '../answer-body.ts';
import { networkFailure, timeoutFailure } from '../network-failure.ts';
import { systemClock } from '../system-clock.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { unpacked } from './unpacked.ts';

/** Sends with what every Node has, for the command line: it runs without a further package. */
export const httpTransport: Transport = { clock: systemClock, send: exchange };

const pool = { keepAlive: true, maxSockets: 100 };
const agents = { http: new Agent(pool), https: new SecureAgent(pool) };

async function exchange(request: TransportRequest): Promise<TransportResponse> {
  const { url, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await head(request, signal ? AbortSignal.any([signal, timeout]) : timeout);
    const headers = joined(answer);
    const bytes = await collected(answer, url);
    const text = await unpacked(bytes, headers['content-encoding'], url, largestAnswer);
    return { status: answer.statusCode ?? 0, headers, body: new TextDecoder().decode(text) };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (timeout.aborted) throw timeoutFailure(url, error);
    throw networkFailure(error, url) ?? error;
  }
}

/** Resolves when the head of the answer has come. */
function head(request: TransportRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, url, headers, body, isRepeatable = true } = request;
  const isSecure = url.startsWith('https:');
  // What must not be sent twice goes over no connection that the service may be closing.
  const agent = isRepeatable && (isSecure ? agents.https : agents.http);
  return new Promise((resolve, reject) => {
    const send = isSecure ? secure : plain;
    send(url, { method, headers, agent, signal })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });
}

function joined({ headersDistinct }: IncomingMessage): Record<string, string> {
  const all = Object.entries(headersDistinct);
  return Object.fromEntries(all.map(([name, values = []]) => [name, values.join(', ')]));
}
