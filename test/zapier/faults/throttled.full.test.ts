import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sampled } from '../../support/tier.ts';
import { changes, reads } from '../app/actions.ts';
import { status } from '../app/fault.ts';
import { useActions } from '../app/use-actions.ts';

const { struck } = useActions();
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Additional seconds that an action of many requests waits when the random number is 0.5. */
const spread: Readonly<Record<string, number>> = { 'Find Available Screens': 20 };

describe.each(sampled([...reads, ...changes], 2))('$name that meets the rate limit', (action) => {
  const throttled = (seconds: number) => ({
    name: 'ThrottledError',
    delay: seconds + (spread[action.name] ?? 0),
    message: `${action.label} reached the rate limit (429). Wait ${seconds} s: Zapier retries the step automatically.`,
  });

  it('is run again after the seconds that the header names', async () => {
    expect(await struck(status(429, { 'retry-after': '17' }), action)).toEqual(throttled(17));
  });

  it('is run again at the time that the header names', async () => {
    const date = new Date(Date.now()).toUTCString();
    const later = new Date(Date.parse(date) + 40_000).toUTCString();
    const fault = status(429, { 'retry-after': later, date });
    expect(await struck(fault, action)).toEqual(throttled(40));
  });

  it('is run again after the seconds that the problem names', async () => {
    const body = JSON.stringify({ status: 429, title: 'Too many requests', retry_after: 23 });
    const contentType = 'application/problem+json';
    const fault = { fault: 'status', status: 429, body, contentType } as const;
    expect(await struck(fault, action)).toEqual(throttled(23));
  });

  it('leaves the delay to Zapier when the service names none', async () => {
    // The first wait is short, and the second one longer than a run may wait.
    jest.spyOn(Math, 'random').mockReturnValueOnce(0.001).mockReturnValue(0.99);
    expect(await struck(status(429), action)).toEqual({
      name: 'ThrottledError',
      message: `${action.label} reached the rate limit (429). Wait a minute: Zapier retries the step automatically.`,
    });
  });
});
