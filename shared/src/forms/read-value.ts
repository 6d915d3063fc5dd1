import type { FormField } from '../catalogue/fields.ts';
import { quoting } from '../client/request.ts';
import { parseJson } from '../json.ts';
import { centsOf, isInCents } from './amounts.ts';
import { countryCode } from './countries.ts';
import { isDate, parseTypedDay, realDay } from './dates.ts';
import { dayOfMoment, dayStartingAt, isTimeZone, parseMoment } from './moments.ts';
import { isCount, numberOf } from './numbers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a value, and how to write it; follows the name of the field. */
export class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export interface ValueOptions {
  /** Whether a text of a JSON field must be JSON. Otherwise other text is meant as text. */
  readonly onlyJson?: boolean;
  /** Of the workflow, such as Europe/Vienna: decides the day of a moment. */
  readonly timeZone?: string | undefined;
}

/**
 * The value of a field as the operation takes it, from what a person wrote; `others` are the fields
 * read before, which decide the unit.
 */
export function readValue(
  field: FormField,
  given: unknown,
  others: Fields,
  { onlyJson = false, timeZone }: ValueOptions,
): unknown {
  const entered = field.type === 'json' ? given : datesAsText(given);
  if (typeof entered !== 'string' && typeof entered !== 'number') return entered;
  const text = String(entered);
  switch (field.type) {
    case 'number':
    case 'integer':
      return isInCents(field.name, others)
        ? readAmount(entered)
        : readNumber(field, entered, others);
    case 'choice':
      return readChoice(field, text);
    case 'json':
      return typeof entered === 'string' ? readJson(text, onlyJson) : entered;
    default:
      return readText(field, entered, timeZone);
  }
}

/** A program passes a date as an object: a Date, or a DateTime of Luxon. */
function datesAsText(given: unknown): unknown {
  if (given instanceof Date) return given.toJSON() ?? String(given);
  if (typeof given !== 'object' || given === null || !('toISO' in given)) return given;
  return typeof given.toISO === 'function' ? (given.toISO() ?? String(given)) : given;
}

function readAmount(entered: string | number): unknown {
  const message =
    'must be an amount such as 150 or 12.50, greater than 0, with at most two decimals';
  return centsOf(entered) ?? new Refusal(quoting(message, entered));
}

function readNumber(field: FormField, entered: string | number, others: Fields): unknown {
  if (typeof entered === 'number') return entered;
  const message = isCount(field, others)
    ? 'must be a whole number such as 25, without units, spaces, or separators'
    : 'must be a plain number such as 25 or 12.5, without units, spaces, or thousands separators';
  return numberOf(entered, field, others) ?? new Refusal(quoting(message, entered));
}

/** A value from an earlier step may hold the label instead of the value. */
function readChoice({ choices = [] }: FormField, text: string): unknown {
  const wanted = text.toLowerCase();
  for (const { value, title } of choices) {
    if (value.toLowerCase() === wanted || title.toLowerCase() === wanted) return value;
  }
  const labels = choices.map(({ title }) => title).join(', ');
  return new Refusal(quoting(`must be one of ${labels}`, text));
}

/** Text that is not JSON is meant as text, unless it was clearly meant to be JSON. */
function readJson(text: string, onlyJson: boolean): unknown {
  try {
    return parseJson(text);
  } catch {
    if (onlyJson) {
      return new Refusal(quoting('must be valid JSON, such as {"crm_id": "42"}', text));
    }
    if (!/^(\{\s*"|\[\s*["{[])/.test(text)) return text;
    return new Refusal('starts like JSON but is not valid JSON, such as {"crm_id": "42"}');
  }
}

function readText(
  field: FormField,
  entered: string | number,
  timeZone: string | undefined,
): unknown {
  const text = typeof entered === 'number' ? digitsOf(entered) : entered;
  if (text instanceof Refusal) return text;
  if (field.name === 'country') return countryCode(text);
  return isDate(field) ? readDate(field, text, timeZone) : text;
}

/** The client leaves the format of some dates to the service; a person needs to know one. */
function readDate({ type }: FormField, text: string, timeZone: string | undefined): unknown {
  const refuse = (message: string) => new Refusal(quoting(message, text));
  const moment = parseMoment(text);
  if (moment) {
    const zone = timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined;
    return type === 'date'
      ? (dayOfMoment(moment, zone) ?? refuse('must be a day such as 2027-03-31, without a time'))
      : (dayStartingAt(moment, zone) ?? text);
  }
  const day = parseTypedDay(text);
  if (day === undefined) {
    return refuse('must be written as YYYY-MM-DD, such as 2027-03-31, since it can mean two days');
  }
  const [, ...parts] = /^(\d{4})-(\d{2})-(\d{2})/.exec(day) ?? [];
  const [year = '', month = '', date = ''] = parts;
  if (year !== '' && !realDay(year, month, date)) return refuse('must be a day that exists');
  return type === 'date' || year !== ''
    ? day
    : refuse('must be a date such as 2027-03-31, or a time such as 2027-03-31T23:59:59Z');
}

/** A number with more digits than JavaScript keeps has lost some before it arrives here. */
function digitsOf(value: number): string | Refusal {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return String(value);
  return new Refusal('has too many digits for a number: pass it as text to keep them all');
}
