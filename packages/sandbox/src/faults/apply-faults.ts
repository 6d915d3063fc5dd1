import { setTimeout } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { HttpExchange } from '../http/exchange.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import type { FaultAction } from './faults.ts';

/** Responds to a request as its faults demand; `handle` lets the service handle it. */
export async function applyFaults(
  faults: readonly FaultAction[],
  exchange: HttpExchange,
  signal: AbortSignal,
  handle: () => Promise<Response>,
): Promise<Response> {
  for (const fault of faults) {
    if (fault.fault === 'latency') await delay(fault.ms, signal);
  }
  const fault = faults.find((other) => other.fault !== 'latency');
  if (!fault) return handle();
  if (!('when' in fault)) return corruptResponse(fault, exchange, await handle());
  if (fault.when === 'after') await handle();
  return fault.fault === 'reset' ? resetConnection(exchange) : faultyStatus(fault);
}

type StatusFault = Extract<FaultAction, { fault: 'status' }>;

function faultyStatus(fault: StatusFault): Response {
  // Every 429 of the service says how long to wait (section 7). A rule can set other headers.
  const usual = fault.status === 429 && fault.body === undefined ? { 'retry-after': '60' } : {};
  const headers = new Headers(fault.headers ?? usual);
  if (fault.body !== undefined) {
    headers.set('content-type', fault.contentType ?? 'text/plain');
    const body = nullBodyStatuses.has(fault.status) ? null : fault.body;
    return new Response(body, { status: fault.status, headers });
  }
  if (fault.status < 400) return new Response(null, { status: fault.status, headers });
  return new ProblemResponseError(
    fault.status === 429 ? 'rate-limited' : 'fault',
    fault.detail ?? `A fault rule returns status ${fault.status} for this request.`,
    { status: fault.status, headers: Object.fromEntries(headers) },
  ).toResponse();
}

/**
 * The client sees a connection reset. Calls in the same process have no connection, so they throw.
 */
function resetConnection({ socket }: HttpExchange): Response {
  if (!socket) throw new TypeError('A fault rule of the sandbox reset the connection.');
  const connection = socket.incoming.socket;
  if ('resetAndDestroy' in connection) connection.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Announces the whole body, sends half of it, and closes the connection. */
async function truncateResponse({ socket }: HttpExchange, response: Response): Promise<Response> {
  const body = Buffer.from(await response.arrayBuffer());
  if (!socket) throw new TypeError('A fault rule of the sandbox cut off the response.');
  const { outgoing } = socket;
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': body.length,
  });
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

/** Statuses whose responses never have a body. */
const nullBodyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

const chunks = 20;

/** Returns the response with a corrupted body. Other faults leave it unchanged. */
async function corruptResponse(
  fault: FaultAction,
  exchange: HttpExchange,
  response: Response,
): Promise<Response> {
  switch (fault.fault) {
    case 'truncated-body':
      return truncateResponse(exchange, response);
    case 'malformed-json':
      return withBody(response, `${(await response.text()).slice(0, -1)},,`);
    case 'empty-body':
      return withBody(response, '');
    case 'html-body':
      return withBody(
        response,
        '<!doctype html><title>502</title><h1>Bad gateway</h1>',
        'text/html',
      );
    case 'content-type':
      return withBody(response, await response.text(), fault.contentType);
    case 'slow-body':
      return withBody(response, drip(new Uint8Array(await response.arrayBuffer()), fault.ms));
    default:
      return response;
  }
}

/** A response without a body gets status 200 along with the corrupted one. */
function withBody(
  { status, headers }: Response,
  body: string | ReadableStream<Uint8Array>,
  contentType?: string,
): Response {
  const changed = new Headers(headers);
  if (contentType !== undefined) changed.set('content-type', contentType);
  if (!nullBodyStatuses.has(status)) return new Response(body, { status, headers: changed });
  if (body === '') return new Response(null, { status, headers: changed });
  if (!changed.has('content-type')) changed.set('content-type', 'application/json');
  return new Response(body, { status: 200, headers: changed });
}

/** Sends the body in small pieces, over `ms` real milliseconds in total. */
function drip(body: Uint8Array, ms: number): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.ceil(body.length / chunks));
  const givenUp = new AbortController();
  let sent = 0;
  return new ReadableStream({
    async pull(stream) {
      await delay(ms / chunks, givenUp.signal);
      if (sent >= body.length) return stream.close();
      stream.enqueue(body.slice(sent, sent + size));
      sent += size;
    },
    cancel: () => givenUp.abort(),
  });
}

/** Waits in real time, whatever the sandbox clock does. Ends early on abort. */
async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
