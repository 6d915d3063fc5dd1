import type { ThrottleObject } from 'zapier-platform-core';

/** Milliseconds. Zapier ends a run after 30 s: what got no answer by then must have its error. */
export const deadlineMs = 25_000;

/**
 * Milliseconds. A change whose answer is lost takes a second request: it is read back, or sent again.
 * Both together end within a run.
 */
export const changeTimeoutMs = 12_000;

/**
 * Reading again does no harm, so a broken connection or an overloaded proxy does not fail a step.
 * The wait is short of a second, the least that the service asks for with a 429: that is Zapier's
 * to wait out.
 */
export const readRetry = { attempts: 3, maxWaitMs: 900 };

/** Screens whose availability one run asks for: the service allows 600 requests a minute, for all Zaps. */
export const mostScreens = 500;

/**
 * Seconds by which runs of many requests may wait longer than the service asks, at random: two that
 * came back at the same moment would use up each other's allowance again, and again.
 */
export const spreadSeconds = 40;

/** A run makes a request for each screen: a few at a time leave some of the minute to other Zaps. */
export const throttleOfMany = {
  window: 60,
  limit: 5,
  key: 'many-requests',
  scope: ['auth'],
} satisfies ThrottleObject;

/** A service, its store of files and a network that delivers them point to each other no more often. */
export const mostRedirects = 5;
