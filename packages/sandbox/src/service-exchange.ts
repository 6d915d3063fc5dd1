import { type SandboxContext, timestamp } from './context.ts';
import { applyFaults } from './faults/apply-faults.ts';
import type { Faults } from './faults/faults.ts';
import { basePath, type Exchange } from './http/exchange.ts';
import type { Journal } from './journal/journal.ts';
import { kindOfAuthorization, redactor, redactTokenRequest } from './journal/redact.ts';

/** Characters of each body that the journal keeps. */
const maxBody = 10_000;

/** Handles a request to the service: applies faults and writes the journal. */
export function serviceExchange(
  context: SandboxContext,
  faults: Faults,
  journal: Journal,
  latencyMs = 0,
) {
  const redact = redactor(context.accesses);
  const latency = latencyMs > 0 ? [{ fault: 'latency' as const, ms: latencyMs }] : [];

  return async (exchange: Exchange, handle: () => Promise<Response>): Promise<Response> => {
    const at = timestamp(context);
    const startedAt = performance.now();
    const path = exchange.url.pathname.slice(basePath.length);
    const triggered = faults.trigger(exchange.method, path);
    const record = (status: number | null, responseBody = ''): void => {
      const body = path === '/oauth/token' ? redactTokenRequest(exchange.body) : exchange.body;
      journal.record({
        at,
        method: exchange.method,
        path: redact(path + exchange.url.search),
        operation: exchange.operation ?? null,
        access: exchange.accessId ?? null,
        authorization: kindOfAuthorization(exchange.headers),
        requestBody: exchange.body === '' ? null : redact(body).slice(0, maxBody),
        responseBody: responseBody === '' ? null : redact(responseBody).slice(0, maxBody),
        status,
        durationMs: Math.round(performance.now() - startedAt),
        faults: triggered.map(({ fault }) => fault),
      });
    };

    // Reading it here would end the wait that the fault is about.
    const isSlow = triggered.some(({ fault }) => fault === 'slow-body');
    const cut = triggered.some(({ fault }) => fault === 'reset' || fault === 'truncated-body');
    try {
      const response = await applyFaults(
        [...latency, ...triggered],
        exchange,
        context.closed,
        handle,
      );
      if (cut) record(null);
      else record(response.status, isSlow ? undefined : await response.clone().text());
      return response;
    } catch (error) {
      record(null);
      throw error;
    }
  };
}
