import type { FormField } from '../catalogue/fields.ts';
import { messageQuotingValue } from '../client/request.ts';
import { isRecord, parseJsonExactly } from '../json.ts';
import { centsOfAmount, roundNearlyWhole, unitOfNumber } from './amounts.ts';
import { countryCode } from './countries.ts';
import {
  dayIfExists,
  dayOfMoment,
  dayStartingAt,
  isTimeZone,
  parseMoment,
  parseTypedDay,
} from './days.ts';
import { bareEmailAddress, firstInvisibleIn, trimInvisible, withoutInvisible } from './texts.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a value, and how to write it; follows the name of the field. */
export class ValueRefusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** What the reader has to know of a field. */
export interface ValueField extends Pick<FormField, 'type' | 'choices' | 'unit'> {
  /** The least and most of a number that no catalogue entry checks. */
  readonly range?: readonly [least: number, most: number];
}

export interface ValueOptions {
  /**
   * Of the workflow, such as Europe/Vienna: decides the day of a moment. Where it is not known, a
   * moment may be a day that the platform made a time, so only days can be read.
   */
  readonly timeZone?: string | null | undefined;
  /** A program wrote the value: amounts are in cents, and a moment was never a day. */
  readonly isExact?: boolean;
  /** Whether a text of a JSON field must be JSON. Otherwise other text is meant as text. */
  readonly onlyJson?: boolean;
}

/** Whether there is no value: undefined, null, white space, an empty list or object. */
export function isEmpty(given: unknown): boolean {
  if (given === undefined || given === null) return true;
  if (typeof given === 'string') return trimInvisible(given) === '';
  if (typeof given !== 'object' || given instanceof Date) return false;
  return Array.isArray(given) ? given.every(isEmpty) : isRecord(given) && isBare(given);
}

/** A DateTime of Luxon keeps what it holds out of sight. */
const isBare = (given: object): boolean =>
  Object.keys(given).length === 0 && Object.getPrototypeOf(Object.getPrototypeOf(given)) === null;

/**
 * The value of a field as the operation takes it, from what a person or a program wrote, or a
 * Refusal. It is not empty. `others` are the fields read before, which may decide the unit.
 */
export function readValue(
  field: ValueField,
  given: unknown,
  others: Fields,
  options: ValueOptions = {},
): unknown {
  if (field.type === 'json') return readJson(given, options);
  if (field.type === 'choices') return readChoices(field, given);
  const entered = single(given);
  if (entered instanceof ValueRefusal) return entered;
  if (field.type === 'coordinates' && isRecord(entered)) return entered;
  const value = typeof entered === 'string' ? trimInvisible(entered) : entered;
  switch (field.type) {
    case 'number':
    case 'integer':
      return inRange(field, value, readNumber(field, value, others, options));
    case 'toggle':
      return readToggle(value);
    case 'choice':
      return readChoice(field, value);
    case 'date':
    case 'moment':
      return readDate(field.type, datesAsText(value), options);
    default:
      return readText(field, value);
  }
}

/** The value of a list with one value, as platforms pass line items. */
function single(given: unknown): unknown {
  if (!Array.isArray(given)) return given;
  const filled = given.filter((one) => !isEmpty(one));
  return filled.length === 1
    ? filled[0]
    : new ValueRefusal(`must be one value, not ${filled.length}`);
}

/** A program passes a date as an object: a Date, or a DateTime of Luxon. */
function datesAsText(given: unknown): unknown {
  if (given instanceof Date) return given.toJSON() ?? String(given);
  if (typeof given !== 'object' || given === null || !('toISO' in given)) return given;
  return typeof given.toISO === 'function' ? (given.toISO() ?? String(given)) : given;
}

function refuse(message: string, given: unknown): ValueRefusal {
  if (typeof given === 'object') return new ValueRefusal(`${message}, not an object`);
  return new ValueRefusal(messageQuotingValue(message, given));
}

/** A decimal point, or a comma where it cannot separate thousands. */
const number = /^[+-]?(\d+\.?\d*|\.\d+|\d+,\d{1,2})$/;
const whole = /^[+-]?\d+(\.0*)?$/;

function readNumber(
  field: ValueField,
  given: unknown,
  others: Fields,
  { isExact = false }: ValueOptions,
): unknown {
  const unit = unitOfNumber(field, others);
  const isWhole = field.type === 'integer' || unit === 'days';
  const isAmount = unit === 'cents' && !isExact;
  if (typeof given !== 'number' && typeof given !== 'string') {
    return refuse(isAmount ? mustBe.amount : isWhole ? mustBe.whole : mustBe.number, given);
  }
  if (isAmount) return centsOfAmount(given) ?? refuse(mustBe.amount, given);
  if (typeof given === 'number') return isWhole ? roundNearlyWhole(given) : given;
  const digits = unit === 'percent' ? given.replace(/\s*%$/, '') : given;
  if (!(isWhole ? whole : number).test(digits)) {
    return refuse(isWhole ? mustBe.whole : mustBe.number, given);
  }
  const value = Number(digits.replace(',', '.'));
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? tooManyDigits : value;
}

function inRange({ type, range }: ValueField, given: unknown, read: unknown): unknown {
  if (!range) return read;
  const [least, most] = range;
  const isFine = typeof read === 'number' && read >= least && read <= most;
  if (isFine && (type !== 'integer' || Number.isSafeInteger(read))) return read;
  const number = type === 'integer' ? 'a whole number' : 'a number';
  const limits = most === Infinity ? `, ${least} or more` : ` from ${least} to ${most}`;
  return refuse(`must be ${number}${limits}`, given);
}

const mustBe = {
  amount: 'must be an amount such as 150 or 12.50, greater than 0, with at most two decimals',
  whole: 'must be a whole number such as 25, without units, spaces, or separators',
  number:
    'must be a plain number such as 25 or 12.5, without units, spaces, or thousands separators',
};

/** A number with more digits than JavaScript keeps has lost some before it arrives here. */
const tooManyDigits = new ValueRefusal(
  'has too many digits for a number: pass it as text to keep them all',
);

const isLossy = (given: unknown): boolean =>
  typeof given === 'number' && Number.isInteger(given) && !Number.isSafeInteger(given);

/** The value itself, or a Refusal of a number that has lost digits. */
export const refuseLostDigits = (given: unknown): unknown =>
  isLossy(given) ? tooManyDigits : given;

/** What forms, sheets and programs write for on and off. */
const on = /^(true|t|yes|y|on|1|1\.0)$/i;
const off = /^(false|f|no|n|off|0|0\.0)$/i;

function readToggle(given: unknown): unknown {
  const text = typeof given === 'object' ? '' : String(given);
  if (on.test(text)) return true;
  return off.test(text) ? false : refuse('must be true or false', given);
}

/** A value from an earlier step may hold the label instead of the value. */
function readChoice({ choices = [] }: ValueField, given: unknown): unknown {
  const wanted =
    typeof given === 'object' ? undefined : withoutInvisible(String(given)).toLowerCase();
  for (const { value, title } of choices) {
    if (value.toLowerCase() === wanted || title.toLowerCase() === wanted) return value;
  }
  const labels = choices.map(({ title }) => title).join(', ');
  return refuse(`must be one of ${labels}`, given);
}

/** A list, or a text that holds one: as JSON, or with commas. Without choices, of any names. */
function readChoices(field: ValueField, given: unknown): unknown {
  const list = Array.isArray(given) ? given : listIn(given);
  const readOne = field.choices ? readChoice : readText;
  const read = list.filter((one) => !isEmpty(one)).map((one) => readOne(field, one));
  const refused = read.find((one) => one instanceof ValueRefusal);
  if (!(refused instanceof ValueRefusal)) return [...new Set(read)];
  return new ValueRefusal(refused.message.replace('must be one of', 'must be some of'));
}

function listIn(given: unknown): unknown[] {
  if (typeof given !== 'string') return [given];
  if (!trimInvisible(given).startsWith('[')) return given.split(/[,\n]/);
  const parsed = readJson(given, {});
  return Array.isArray(parsed) ? parsed : [given];
}

/** Text that is not JSON is meant as text, unless it was clearly meant to be JSON. */
function readJson(given: unknown, { onlyJson = false }: ValueOptions): unknown {
  if (typeof given !== 'string') return refuseLostDigits(given);
  const text = trimInvisible(given);
  try {
    return parseJsonExactly(text);
  } catch {
    if (onlyJson) {
      return new ValueRefusal(
        messageQuotingValue('must be valid JSON, such as {"crm_id": "42"}', text),
      );
    }
    if (!/^(\{\s*"|\[\s*["{[])/.test(text)) return text;
    return new ValueRefusal('starts like JSON but is not valid JSON, such as {"crm_id": "42"}');
  }
}

function readText({ type }: ValueField, given: unknown): unknown {
  if (isLossy(given)) return tooManyDigits;
  if (typeof given !== 'string' && typeof given !== 'number') return refuse('must be text', given);
  const text = String(given);
  if (type === 'email') return bareEmailAddress(text);
  if (type === 'code') return withoutInvisible(text);
  const found = firstInvisibleIn(text);
  if (found) {
    return new ValueRefusal(
      `contains an invisible character (${found}): type it again, without copying`,
    );
  }
  return type === 'country' ? countryCode(text) : text;
}

/** The client leaves the format of some dates to the service; a person needs to know one. */
function readDate(
  type: 'date' | 'moment',
  given: unknown,
  { timeZone, isExact = false }: ValueOptions,
): unknown {
  const onlyDay = 'must be a day such as 2027-03-31, without a time';
  const dayOrTime = 'must be a date such as 2027-03-31, or a time such as 2027-03-31T23:59:59Z';
  if (typeof given !== 'string') return refuse(type === 'date' ? onlyDay : dayOrTime, given);
  const text = withoutInvisible(given);
  const moment = parseMoment(text);
  if (moment) {
    const zone = timeZone && isTimeZone(timeZone) ? timeZone : undefined;
    if (type === 'date') return dayOfMoment(moment, zone) ?? refuse(onlyDay, text);
    const day = dayStartingAt(moment, zone);
    if (day !== undefined) return day;
    if (zone || isExact || moment.edge) return text;
    return new ValueRefusal(`${messageQuotingValue(onlyDay, text)}: the time zone is not known`);
  }
  const day = parseTypedDay(text);
  if (day === undefined) {
    const asDay = 'must be written as YYYY-MM-DD, such as 2027-03-31, since it can mean two days';
    return refuse(asDay, text);
  }
  const [, ...parts] = /^(\d{4})-(\d{2})-(\d{2})/.exec(day) ?? [];
  const [year = '', month = '', date = ''] = parts;
  if (year !== '' && !dayIfExists(year, month, date))
    return refuse('must be a day that exists', text);
  return type === 'date' || year !== '' ? day : refuse(dayOrTime, text);
}
