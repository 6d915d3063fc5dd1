import type { ThrottleObject } from 'zapier-platform-core';

/**
 * Milliseconds. Zapier ends a run after 30 s, so a request without a response must fail before
 * that.
 */
export const runDeadlineMs = 25_000;

/**
 * Milliseconds. A change whose response is lost takes a second request, which reads it back or
 * sends it again. Both together fit into one run.
 */
export const writeTimeoutMs = 12_000;

/**
 * A second read does no harm, so a broken connection or an overloaded proxy does not fail a step.
 * The wait stays under a second, the least that the service asks for with a 429: Zapier waits that
 * out.
 */
export const readRetryPolicy = { attempts: 3, maxWaitMs: 900 };

/**
 * Screens whose availability one run may request, 500 of 600 requests per minute: all Zaps share
 * them.
 */
export function maxScreensPerRun({
  requestsPerMinute,
}: {
  readonly requestsPerMinute: number;
}): number {
  return Math.max(1, Math.floor((requestsPerMinute * 5) / 6));
}

/**
 * Seconds, at random, that runs of many requests wait beyond what the service asks: two that
 * retried at the same moment would exhaust each other's rate limit again and again.
 */
export const retrySpreadSeconds = 40;

/** A run may make five sixths of the requests of a minute: a second one would not fit. */
export const manyRequestsThrottle = {
  window: 60,
  limit: 1,
  key: 'many-requests',
  scope: ['auth'],
} satisfies ThrottleObject;

/** A service, its file store and a CDN need no more redirects than this. */
export const maxRedirects = 5;
