import { request } from 'undici';
import { ForbiddenTarget } from './guarded-agent.ts';
import type { Outbound } from './outbound.ts';

export interface Posted {
  readonly status: number | null;
  readonly error: string | null;
  readonly retryAfter: unknown;
  readonly durationMs: number;
}

interface Posting {
  readonly method?: 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | undefined;
  readonly outbound: Outbound;
}

/** The body does not matter; a long or slow one is cut off. */
const longestResponse = 64 * 1024;
const longestBodyMs = 1_000;

/**
 * Makes one attempt and always resolves. A redirect counts as a response and is not followed. The
 * target rules are checked here as well, because they may have changed since the subscription.
 */
export async function post({
  method = 'POST',
  url,
  headers,
  body,
  outbound: { agent, rules, timeoutMs },
}: Posting): Promise<Posted> {
  const startedAt = performance.now();
  // AbortSignal.timeout() would keep its timer, and create an error, for every delivery.
  const overdue = new AbortController();
  const end = (status: number | null, error: string | null, retryAfter?: unknown): Posted => ({
    status,
    error,
    retryAfter,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const fault = rules.whyNot(url);
  if (fault !== undefined) return end(null, fault);
  let timer = setTimeout(() => overdue.abort(), timeoutMs);
  try {
    const response = await request(url, {
      method,
      headers,
      ...(body && { body }),
      dispatcher: agent,
      signal: overdue.signal,
      headersTimeout: timeoutMs,
    });
    clearTimeout(timer);
    timer = setTimeout(() => overdue.abort(), longestBodyMs);
    // Waits for a short body, so that the connection can be reused.
    await response.body
      .dump({ limit: longestResponse, signal: overdue.signal })
      .catch(() => undefined);
    return end(response.statusCode, null, response.headers['retry-after']);
  } catch (error) {
    return end(
      null,
      overdue.signal.aborted ? `no response within ${timeoutMs} ms` : whatFailed(error),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** The code says more than the message, which may contain an address. */
function whatFailed(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${message} (${code})`;
}
