import { waitReally } from '../clock/wait-really.ts';
import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import { spoilBody } from './body-faults.ts';
import { resetConnection, truncateAnswer } from './connection-faults.ts';
import type { FaultAction } from './fault-rule.ts';

/** Answers a call as its faults want it; `answer` lets the service do its work. */
export async function applyFaults(
  faults: readonly FaultAction[],
  exchange: Exchange,
  signal: AbortSignal,
  answer: () => Promise<Response>,
): Promise<Response> {
  for (const fault of faults) {
    if (fault.fault === 'latency') await waitReally(fault.ms, signal);
  }
  const early = faults.find((fault) => 'when' in fault && fault.when === 'before');
  if (early?.fault === 'reset') return resetConnection(exchange);
  let response = early?.fault === 'status' ? faultyStatus(early) : await answer();
  for (const fault of faults) {
    if (fault === early) continue;
    if (fault.fault === 'reset') return resetConnection(exchange);
    if (fault.fault === 'truncated-body') return truncateAnswer(exchange, response);
    response = fault.fault === 'status' ? faultyStatus(fault) : await spoilBody(fault, response);
  }
  return response;
}

function faultyStatus(fault: Extract<FaultAction, { fault: 'status' }>): Response {
  const headers = new Headers(fault.headers);
  if (fault.body !== undefined) {
    headers.set('content-type', fault.contentType ?? 'text/plain');
    return new Response(fault.body, { status: fault.status, headers });
  }
  if (fault.status < 400) return new Response(null, { status: fault.status, headers });
  const retryAfter = headers.get('retry-after') ?? '';
  const refusal = new Refusal(
    fault.status,
    fault.status === 429 ? 'rate-limited' : 'fault',
    fault.detail ?? `A fault rule answers this call with status ${fault.status}.`,
    {
      headers: Object.fromEntries(headers),
      ...(/^\d+$/.test(retryAfter) && { members: { retry_after: Number(retryAfter) } }),
    },
  );
  return refusal.toResponse();
}
