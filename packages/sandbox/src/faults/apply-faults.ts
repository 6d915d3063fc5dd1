import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Exchange } from '../http/exchange.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import { corruptBody, delay, nullBodyStatuses } from './body-faults.ts';
import type { FaultAction } from './fault-rule.ts';

/** Responds to a request as its faults demand; `handle` lets the service handle it. */
export async function applyFaults(
  faults: readonly FaultAction[],
  exchange: Exchange,
  signal: AbortSignal,
  handle: () => Promise<Response>,
): Promise<Response> {
  for (const fault of faults) {
    if (fault.fault === 'latency') await delay(fault.ms, signal);
  }
  const fault = faults.find((other) => other.fault !== 'latency');
  if (!fault) return handle();
  if ('when' in fault && fault.when === 'before') return replaceResponse(fault, exchange);
  const response = await handle();
  if ('when' in fault) return replaceResponse(fault, exchange);
  if (fault.fault === 'truncated-body') return truncateResponse(exchange, response);
  return corruptBody(fault, response);
}

type ReplacingFault = Extract<FaultAction, { when: unknown }>;

function replaceResponse(fault: ReplacingFault, exchange: Exchange): Response {
  return fault.fault === 'reset' ? resetConnection(exchange) : faultyStatus(fault);
}

type StatusFault = Extract<FaultAction, { fault: 'status' }>;

function faultyStatus(fault: StatusFault): Response {
  const headers = new Headers(fault.headers ?? defaultHeaders(fault));
  if (fault.body !== undefined) {
    headers.set('content-type', fault.contentType ?? 'text/plain');
    const body = nullBodyStatuses.has(fault.status) ? null : fault.body;
    return new Response(body, { status: fault.status, headers });
  }
  if (fault.status < 400) return new Response(null, { status: fault.status, headers });
  const retryAfter = headers.get('retry-after') ?? '';
  return new ProblemResponseError(
    fault.status === 429 ? 'rate-limited' : 'fault',
    fault.detail ?? `A fault rule returns status ${fault.status} for this request.`,
    {
      status: fault.status,
      headers: Object.fromEntries(headers),
      ...(/^\d+$/.test(retryAfter) && { members: { retry_after: Number(retryAfter) } }),
    },
  ).toResponse();
}

/** Every 429 of the service says how long to wait (section 7). A rule can set other headers. */
function defaultHeaders({ status, body }: StatusFault): Record<string, string> {
  return status === 429 && body === undefined ? { 'retry-after': '60' } : {};
}

/**
 * The client sees a connection reset. Calls in the same process have no connection, so they throw.
 */
export function resetConnection({ socket }: Exchange): Response {
  if (!socket) throw new TypeError('A fault rule of the sandbox reset the connection.');
  const connection = socket.incoming.socket;
  if ('resetAndDestroy' in connection) connection.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Announces the whole body, sends half of it, and closes the connection. */
export async function truncateResponse(
  { socket }: Exchange,
  response: Response,
): Promise<Response> {
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
