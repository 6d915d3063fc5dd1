import { tokenEndpoint } from '@screen-advertising/core/contract';
import { ProblemResponseError } from '../http/problem-response-error.ts';

interface CallWindow {
  /** Counts a request. Returns the milliseconds to wait if it is over the limit, otherwise 0. */
  take(key: string, now: number): number;
  clear(): void;
}

/** Allows `requests` in any span of `perMs`. */
export function slidingWindow(requests: number, perMs: number): CallWindow {
  return callWindow(requests, (at) => at + perMs);
}

/** Allows `requests` in each span of `perMs` that starts on a multiple of it. */
export function fixedWindow(requests: number, perMs: number): CallWindow {
  return callWindow(requests, (at) => at - (at % perMs) + perMs);
}

/** A request at a moment counts until the end that belongs to the moment. */
function callWindow(requests: number, endOf: (at: number) => number): CallWindow {
  const ends = new Map<string, number[]>();
  return {
    take(key, now) {
      const counted = (ends.get(key) ?? []).filter((end) => end > now);
      ends.set(key, counted);
      const first = counted[counted.length - requests];
      if (first !== undefined) return first - now;
      counted.push(endOf(now));
      return 0;
    },
    clear: () => ends.clear(),
  };
}

export interface RateLimitOptions {
  /** Requests per access. Default: 600. */
  requests?: number;
  /** Milliseconds. Default: one minute. */
  perMs?: number;
  /** `sliding` counts any span of that length; `fixed` resets after each. Default: sliding. */
  window?: 'sliding' | 'fixed';
  /** Token requests per IP address and minute. Default: 10. */
  tokenRequests?: number;
}

const minuteMs = 60_000;

export type RateLimits = Readonly<ReturnType<typeof createRateLimits>>;

/** The rate limits of section 8. */
export function createRateLimits({
  requests = 600,
  perMs = minuteMs,
  window = 'sliding',
  tokenRequests = tokenEndpoint.requestsPerMinute,
}: RateLimitOptions = {}) {
  const calls = (window === 'fixed' ? fixedWindow : slidingWindow)(requests, perMs);
  const tokenCalls = slidingWindow(tokenRequests, minuteMs);
  return {
    countCall(accessId: string, now: number): void {
      refuseLate(
        calls.take(accessId, now),
        `The rate limit of this access is ${requests} requests in ${perMs / 1000} seconds.`,
      );
    },
    countTokenRequest(remoteAddress: string, now: number): void {
      refuseLate(
        tokenCalls.take(remoteAddress, now),
        `The rate limit of an IP address is ${tokenRequests} token requests in 60 seconds. Reuse the token for its whole hour.`,
      );
    },
    clear(): void {
      calls.clear();
      tokenCalls.clear();
    },
  };
}

function refuseLate(waitMs: number, limit: string): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new ProblemResponseError('rate-limited', `${limit} Wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
