import type { InputField } from '../definition-lint/definition.ts';

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** The parts of a moment in a time zone, such as `2027-03-28`, `02:30:00` and `+01:00`. */
function partsIn(timeZone: string, time: number) {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const [day = '', clock = ''] = format.format(time).split(' ');
  const named = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offset = named.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return { day, clock, offset: offset.replace('GMT', '') || '+00:00' };
}

/** The day of a value in a time zone. */
export function dayIn(timeZone: string, text: string): string {
  return isDay(text) ? text : partsIn(timeZone, Date.parse(text)).day;
}

/** When a day starts in a time zone. */
function startOf(day: string, timeZone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  for (let hours = -30; hours < 30; hours += 0.25) {
    const time = noon + hours * 3_600_000;
    if (partsIn(timeZone, time).day === day) return time;
  }
  throw new Error(`${timeZone} has no ${day}.`);
}

/** A value of an earlier step as Zapier hands it over: it turns dates into times in the Zap's zone. */
export function asZapierMaps(
  { type, dict }: InputField,
  value: unknown,
  timeZone: string,
): unknown {
  if (dict) return value;
  if (type === 'number' || type === 'integer') return Number(value);
  if (type !== 'datetime') return String(value);
  const text = String(value);
  const time = isDay(text) ? startOf(text, timeZone) : Date.parse(text);
  const { day, clock, offset } = partsIn(timeZone, time);
  return `${day}T${clock}${offset}`;
}
