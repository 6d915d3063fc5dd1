/** The longest part of a minute that a request takes to arrive, and by which clocks may differ. */
const slackMs = 1_000;

/** After this long without an attempt, whatever was sent before counts no more. */
export const wholeMinuteMs: number = 60_000 + slackMs;

/** What a sender attempts for a subscription before it leaves it alone. */
export interface Turn {
  readonly attempts: number;
  /** From its last attempt to the next turn. */
  readonly pauseMs: number;
}

/**
 * Spreads attempts over each minute, so that the pause of the lease keeps the limit, whichever
 * process takes the next turn. Up to 60 a minute are sent one by one; more, in a turn each second.
 */
export function turnOf(maxPerMinute: number | null): Turn {
  if (maxPerMinute === null) return { attempts: Number.POSITIVE_INFINITY, pauseMs: 0 };
  const attempts = Math.ceil(maxPerMinute / 60);
  const turns = Math.floor(maxPerMinute / attempts);
  return { attempts, pauseMs: Math.ceil(wholeMinuteMs / turns) };
}
