/** Year first, or year last. Parts with dots are day first everywhere. */
const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4})$/;

/**
 * A day that people write in their own form, as YYYY-MM-DD: `24.12.2026` and `12/24/2026`. Undefined
 * if the text can mean two days. Any other text stays as it is.
 */
export function parseTypedDay(text: string): string | undefined {
  const [, year, , month = '', day = ''] = yearFirst.exec(text) ?? [];
  if (year) return dayIfExists(year, month, day) ?? text;
  const [, one = '', separator, other = '', lastYear] = yearLast.exec(text) ?? [];
  if (!lastYear) return text;
  const dayFirst = dayIfExists(lastYear, other, one);
  const monthFirst = separator === '.' ? undefined : dayIfExists(lastYear, one, other);
  if (dayFirst && monthFirst && dayFirst !== monthFirst) return undefined;
  return dayFirst ?? monthFirst ?? text;
}

export function dayIfExists(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(text);
  return date.getTime() && date.toISOString().startsWith(text) ? text : undefined;
}

/** A day and a time as text, with or without the offset of its time zone. */
const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}:\d{2})(:\d{2})?([.,]\d+)? ?(Z|[+-]\d{2}:?\d{2})?$/i;

/** A moment as it was written. */
export interface WrittenMoment {
  /** The day and the time, in the time zone of the text. */
  readonly writtenDay: string;
  readonly clock: string;
  /** The first second of its day in UTC, or the last one, as programs write the ends of a period. */
  readonly edge: 'start' | 'end' | undefined;
  /** Milliseconds since 1970. Undefined without an offset: the text says no time zone. */
  readonly time: number | undefined;
}

/** Undefined for any other text, also for a day or time that does not exist. */
export function parseMoment(text: string): WrittenMoment | undefined {
  const [, year = '', month = '', day = '', minutes, seconds = ':00', fraction = '', offset] =
    pattern.exec(text) ?? [];
  const writtenDay = dayIfExists(year, month, day);
  if (writtenDay === undefined) return undefined;
  const zone = (offset ?? 'Z').toUpperCase().replace(/^(...)(\d\d)$/, '$1:$2');
  const time = Date.parse(
    `${writtenDay}T${minutes}${seconds}${fraction.replace(',', '.').slice(0, 4)}${zone}`,
  );
  if (Number.isNaN(time)) return undefined;
  const isUtc = /^Z$|^[+-]00:00$/.test(zone);
  return {
    writtenDay,
    clock: `${minutes}${seconds}`,
    edge: isUtc ? edgeOf(`${minutes}${seconds}${fraction}`) : undefined,
    time: offset === undefined ? undefined : time,
  };
}

function edgeOf(clock: string): WrittenMoment['edge'] {
  if (/^00:00:00[.,]?0*$/.test(clock)) return 'start';
  return clock.startsWith('23:59:59') ? 'end' : undefined;
}

/**
 * The day of a moment in a time zone, however the moment was written. A program that writes a plain
 * day as a time, such as an AI agent, means the day that it wrote, wherever the zone is. Undefined
 * without a zone, unless the moment is the edge of a plain day.
 */
export function dayOfMoment(
  { writtenDay, edge, time }: WrittenMoment,
  timeZone: string | undefined,
): string | undefined {
  if (edge) return writtenDay;
  if (timeZone === undefined) return undefined;
  return time === undefined ? writtenDay : dayInTimeZone(timeZone, time);
}

/**
 * The day that starts at a moment, if the moment is written in the time zone of its day: so a
 * platform writes a day that it made a time. Undefined for any other moment: its time has a meaning.
 */
export function dayStartingAt(
  { writtenDay, clock, edge, time }: WrittenMoment,
  timeZone: string | undefined,
): string | undefined {
  if (edge === 'start') return writtenDay;
  if (time === undefined || timeZone === undefined) return undefined;
  const day = dayInTimeZone(timeZone, time);
  if (day !== writtenDay || clockIn(timeZone, time) !== clock) return undefined;
  // Where summer time starts at midnight, a day starts later; where it ends then, midnight is twice.
  const isStart =
    clockIn(timeZone, time) === '00:00:00' || dayInTimeZone(timeZone, time - 1) !== day;
  return isStart && time % 1000 === 0 ? day : undefined;
}

/** Whether the runtime knows the time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

/** The day of a moment in a time zone, as YYYY-MM-DD. */
export function dayInTimeZone(timeZone: string, moment: Date | number): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}

function clockIn(timeZone: string, moment: number): string {
  return new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(moment);
}
