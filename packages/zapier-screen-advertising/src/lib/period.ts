import { InputError } from '@screen-advertising/core';
import { dayInTimeZone, isEmpty, isTimeZone } from '@screen-advertising/core/forms';
import { safeOutsideText } from '@screen-advertising/core/platform';
import type { FormAdditions, ZapierOnlyField } from './fields.ts';

/** The help of From and To of campaign requests, which take a day as well as a time. */
export const createdPeriodHelp = {
  from: {
    helpText:
      'Only campaign requests from this date or time on. Midnight in the time zone of the Zap, or in UTC, counts as a day.',
  },
  to: {
    helpText:
      'Only campaign requests up to this date or time. Midnight in the time zone of the Zap, or in UTC, counts as a day.',
  },
};

/** A Zap runs for months: a period that moves along with the days needs no dates in its steps. */
const nextDays: ZapierOnlyField = {
  name: 'next_days',
  title: 'Next Days',
  type: 'integer',
  required: false,
  in: 'query',
  range: [1, 3650],
  after: 'to',
  example: '14',
  description:
    'Instead of From and To: the length of the period in days, starting on the day the Zap runs, in its time zone.',
};

/** A form that takes either From and To, or a number of days. */
export const periodFormAdditions: FormAdditions = { optional: ['from', 'to'], more: [nextDays] };

type Values = Readonly<Record<string, unknown>>;

/**
 * Computes From and To from the days if the person gave days. Throws InputError if both or neither
 * were given.
 */
export function computePeriod<Input extends object>(
  read: Input & Values,
  label: string,
  timeZone: string | null | undefined,
  now = Date.now(),
): Input {
  const { next_days: days, ...input } = read;
  const refused = (field: string, message: string) => new InputError(label, [{ field, message }]);
  const hasDates = !isEmpty(input.from) || !isEmpty(input.to);
  if (days === undefined) {
    if (hasDates) return input as Values as Input;
    throw refused('', 'either From and To, or Next Days, must be filled in');
  }
  if (hasDates) throw refused('next_days', 'must be empty when From or To is filled in');
  if (!timeZone || !isTimeZone(timeZone)) {
    const zone = timeZone ? `"${safeOutsideText(timeZone)}" is unknown` : 'it has none';
    throw refused(
      'next_days',
      `needs the time zone of the Zap, and ${zone}: choose another in the settings of the Zap, or fill in From and To`,
    );
  }
  const from = dayInTimeZone(timeZone, now);
  return { ...(input as Values as Input), from, to: daysAfter(from, Number(days) - 1) };
}

function daysAfter(day: string, days: number): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
