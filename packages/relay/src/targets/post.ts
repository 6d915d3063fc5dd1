import { outsideText } from '@screen-advertising/core/platform';
import { type Dispatcher, request } from 'undici';
import { ForbiddenTarget } from './guarded-agent.ts';
import { type BodyStart, readStart } from './read-start.ts';
import type { TargetRules } from './target-rules.ts';

/** How requests to subscribers are sent. */
export interface Outbound {
  /** Connects only to allowed addresses. */
  readonly agent: Dispatcher;
  readonly rules: TargetRules;
  readonly timeoutMs: number;
}

export interface Posted {
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly response?: OutsideResponse;
}

/** What another server responded. All of it may contain anything. */
export interface OutsideResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: BodyStart;
}

interface Posting {
  readonly method?: 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | undefined;
  readonly outbound: Outbound;
}

/** A delivery does not wait for the rest of a slow response. */
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
  const took = () => Math.round(performance.now() - startedAt);
  const failed = (error: string): Posted => ({ status: null, error, durationMs: took() });
  const fault = rules.whyNot(url);
  if (fault !== undefined) return failed(fault);
  let timer = setTimeout(() => overdue.abort(), timeoutMs);
  try {
    const {
      statusCode,
      headers: given,
      body: stream,
    } = await request(url, {
      method,
      headers,
      ...(body && { body }),
      dispatcher: agent,
      signal: overdue.signal,
      headersTimeout: timeoutMs,
    });
    clearTimeout(timer);
    timer = setTimeout(() => overdue.abort(), longestBodyMs);
    const response = { status: statusCode, headers: given, body: await readStart(stream) };
    return { status: statusCode, error: null, durationMs: took(), response };
  } catch (error) {
    return failed(
      overdue.signal.aborted
        ? `no response within ${timeoutMs} ms`
        : outsideText(whatFailed(error)),
    );
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The code says more than the message, which may contain an address, or names of the target's
 * certificate.
 */
function whatFailed(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${message} (${code})`;
}
