import { type FormField, formFields } from '../catalogue/fields.ts';
import type { CatalogueEntry, InputOf, Operation } from '../catalogue/operation.ts';
import { safeOutsideText } from '../client/redact.ts';
import { messageQuotingValue, parseInput } from '../client/request.ts';
import { InputError, type InputIssue } from '../errors/error-classes.ts';
import { isRecord } from '../json.ts';
import {
  isEmpty,
  readValue,
  refuseLostDigits,
  type ValueField,
  type ValueOptions,
  ValueRefusal,
} from './read-value.ts';
import { trimInvisible, withoutInvisible } from './texts.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What to do when a condition came out empty: it is never left out in silence. */
export type WhenEmpty = 'fail' | 'find_nothing' | 'leave_out';

/** A field of a form: one of a catalogue entry, or a setting that only a platform has. */
export type ReadField = ValueField & Pick<FormField, 'name' | 'title' | 'widens'>;

/** How one form reads its fields. */
export interface FormOptions extends ValueOptions {
  /** Fields that this form does not require. Without them, more is found. */
  readonly optional?: readonly string[];
  /** Fields that only this form has, read along with those of the entry. */
  readonly more?: readonly ReadField[];
  /**
   * What was written into the fields. A text with tags in two curly brackets is computed from other
   * data, and so is everything in an object that holds one.
   */
  readonly written?: Fields;
  /** Default: fail. */
  readonly whenEmpty?: WhenEmpty | undefined;
  /** Whether the platform joins the values of a list with commas, so that `5,10` may be two. */
  readonly joinsLists?: boolean;
  /** Called for each field whose computed value came out empty, and was left out without harm. */
  readonly onLeftOut?: (field: ReadField) => void;
}

/** Thrown instead of an input: a condition came out empty, and then nothing is to be found. */
export class EmptyConditionError extends Error {
  /** The label of the condition. */
  readonly title: string;

  constructor(title: string) {
    super(`${title} came out empty, so nothing was searched for.`);
    this.title = title;
  }
}

const tags = /\{\{[\s\S]*?\}\}/g;

/** Whether a value was mapped or computed: what was written holds a tag. */
export function isMappedOrComputed(written: unknown): boolean {
  if (typeof written === 'string') return written.search(tags) >= 0;
  return (
    typeof written === 'object' &&
    written !== null &&
    Object.values(written).some(isMappedOrComputed)
  );
}

/** Whether all that a text has is what stands around its tags, so that they came out empty. */
function lacksTags(given: unknown, written: unknown): boolean {
  if (typeof given !== 'string' || typeof written !== 'string') return false;
  const around = withoutInvisible(written.replace(/^=/, '').replace(tags, ''));
  return around !== '' && isMappedOrComputed(written) && withoutInvisible(given) === around;
}

/**
 * Reads the fields of a form. Empty ones are left out, unless that would widen what is found or
 * given: then a value that was computed and came out empty fails, or does what the owner chose.
 * Throws one InputError with every fault, or EmptyConditionError.
 */
export function readFields(
  title: string,
  fields: readonly ReadField[],
  entered: Fields,
  options: FormOptions = {},
): Record<string, unknown> {
  const { input, issues, empty } = read(fields, entered, options);
  if (issues.length > 0) throw new InputError(title, issues);
  if (empty) throw new EmptyConditionError(empty.title);
  return input;
}

function read(fields: readonly ReadField[], entered: Fields, options: FormOptions) {
  const { written = {}, whenEmpty = 'fail', onLeftOut } = options;
  const input: Record<string, unknown> = {};
  const issues: InputIssue[] = [];
  let empty: ReadField | undefined;
  for (const field of fields) {
    const { name, widens, type } = field;
    const { [name]: given } = entered;
    const isPart = lacksTags(given, written[name]);
    if (isEmpty(given) || (isPart && widens !== undefined)) {
      if (!isMappedOrComputed(written[name])) continue;
      if (widens === undefined) onLeftOut?.(field);
      else if (whenEmpty === 'fail')
        issues.push({ field: name, message: cameOutEmpty(fields, field) });
      else if (whenEmpty === 'find_nothing') empty ??= field;
      continue;
    }
    const value =
      (isPart && type === 'code' && partOnly(given)) ||
      (options.joinsLists && isMappedOrComputed(written[name]) && joined(field, given)) ||
      readValue(field, given, input, options);
    if (value instanceof ValueRefusal) issues.push({ field: name, message: value.message });
    else input[name] = value;
  }
  return { input, issues, empty };
}

function cameOutEmpty(fields: readonly ReadField[], { widens = '' }: ReadField): string {
  return `came out empty: correct what fills it, or set '${titleWhenEmpty(fields)}' to '${widens}'`;
}

function partOnly(given: unknown): ValueRefusal {
  const part = safeOutsideText(String(given), { maxLength: 60 });
  return new ValueRefusal(`is only "${part}", because the value mapped into it came out empty`);
}

/** What is wrong with a text that may hold several values. */
function joined({ type }: ReadField, given: unknown): ValueRefusal | undefined {
  const must = mustBeOne[type];
  const isList = type === 'number' || type === 'integer' ? /^[\d.\s]+(,[\d.\s]*)+$/ : /,/;
  if (!must || typeof given !== 'string' || !isList.test(given)) return undefined;
  const items = 'line items arrive with a comma between them';
  return new ValueRefusal(`${messageQuotingValue(must, trimInvisible(given))}: ${items}`);
}

const mustBeOne: Partial<Record<FormField['type'], string>> = {
  number: 'must be one number with a decimal point, such as 5.10',
  integer: 'must be one whole number, such as 5',
  code: 'must be one value',
  email: 'must be one address',
};

/** Only a change has a condition with a particular label for leaving it out. */
function titleWhenEmpty(fields: readonly ReadField[]): string {
  const own = ownConditions(fields).map(({ title }) => title);
  return `When ${own.length > 0 ? own.join(' or ') : 'a Condition'} Is Empty`;
}

const ownConditions = (fields: readonly ReadField[]) =>
  fields.filter(({ widens = leaveOut }) => widens !== leaveOut);

const leaveOut = 'Leave It Out';

/** The setting for conditions that come out empty, if the form has conditions. */
export function whenEmptyField(
  fields: readonly ReadField[],
): (FormField & { choices: object }) | undefined {
  const conditions = fields.filter(({ widens }) => widens !== undefined);
  const [own] = ownConditions(conditions);
  if (conditions.length === 0) return undefined;
  return {
    name: 'when_empty',
    title: titleWhenEmpty(conditions),
    description: own
      ? `What to do if a value mapped or computed for ${own.title} comes out empty. Default: fail.`
      : 'What to do if a value mapped or computed for a condition comes out empty, which would find more than you want. Default: fail.',
    type: 'choice',
    required: false,
    in: 'query',
    choices: [
      { value: 'fail', title: 'Fail' },
      ...(own ? [] : [{ value: 'find_nothing', title: 'Find Nothing' }]),
      { value: 'leave_out', title: own?.widens ?? leaveOut },
    ],
  };
}

/** The choice that a person made in that field; undefined if none. Throws InputError. */
export function readWhenEmpty(
  title: string,
  fields: readonly ReadField[],
  given: unknown,
): WhenEmpty | undefined {
  const field = whenEmptyField(fields);
  if (!field || isEmpty(given)) return undefined;
  return readFields(title, [field], { [field.name]: given })[field.name] as WhenEmpty;
}

/** The value of a setting, or the default if it is empty. Throws InputError. */
export function readSetting(
  title: string,
  setting: ReadField,
  given: unknown,
  otherwise: unknown,
): unknown {
  return readFields(title, [setting], { [setting.name]: given })[setting.name] ?? otherwise;
}

/** The fields of a form, of which some are required only by the operation: without them, more is found. */
export function withOptionalFields(
  fields: readonly FormField[],
  optional: readonly string[] = [],
): FormField[] {
  return fields.map((field) =>
    field.required && optional.includes(field.name)
      ? { ...field, required: false, widens: leaveOut }
      : field,
  );
}

/**
 * Reads what a person wrote or mapped as the input of a catalogue entry: text without surrounding
 * white space, amounts in currency units as cents, and numbers, dates, countries, choices and JSON as
 * people write them. The client checks whether the values are allowed. Throws one InputError with
 * every fault, or EmptyConditionError.
 */
export function readForm<Op extends CatalogueEntry>(
  entry: Op,
  entered: Fields,
  options: FormOptions = {},
): InputOf<Op> {
  const { optional = [], more = [] } = options;
  const fields = [...more, ...withOptionalFields(formFields(entry), optional)];
  const { input, issues, empty } = read(fields, entered, options);
  if (issues.length > 0) throw withOthers(entry, input, issues, { optional, more });
  if (empty) throw new EmptyConditionError(empty.title);
  return input as InputOf<Op>;
}

/**
 * Reads the arguments of a program as the input of a catalogue entry: amounts in cents, days without
 * a time zone. `isText` says that they all arrived as text. An empty text is refused, since leaving a
 * field out is another thing. `more` are fields that only the program has. Throws one InputError with
 * every fault.
 */
export function readArguments(
  entry: CatalogueEntry & Partial<Pick<Operation, 'method'>>,
  given: Fields,
  { isText = false, more = [] }: { isText?: boolean; more?: readonly ReadField[] } = {},
): Record<string, unknown> {
  const offered: readonly ReadField[] = formFields(entry);
  const known = new Map([...offered, ...more].map((field) => [field.name, field]));
  const input: Record<string, unknown> = {};
  const issues: InputIssue[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const field = known.get(name) ?? { type: 'text' as const };
    const isOwn = more.some((own) => own.name === name);
    const isFree = offered.length > 0 && !known.has(name);
    const isAsIs =
      !isOwn && (typeof value !== 'string' || isFree || (field.type === 'json' && !isText));
    const read = isAsIs
      ? refuseLostDigits(value)
      : isEmpty(value)
        ? new ValueRefusal('must not be empty: leave it out instead')
        : readValue(field, value, input, { isExact: true, onlyJson: isText });
    if (read instanceof ValueRefusal) issues.push({ field: name, message: read.message });
    else input[name] = read;
  }
  if (issues.length > 0) throw withOthers(entry, input, issues, { more });
  return input;
}

/** What was read of pairs of a name and a value. */
export interface NamedValuePairs {
  readonly members: Record<string, unknown>;
  /** The names whose computed value came out empty. */
  readonly leftOut: readonly string[];
}

/**
 * Reads pairs of a name and a value, of which a pair without a value is left out. `type`: `text`
 * where a value ends up in a text, `json` where it may be anything. Throws one InputError with every
 * fault.
 */
export function readNamedValuePairs(
  title: string,
  pairs: ReadonlyArray<readonly [name: unknown, value: unknown]>,
  type: 'text' | 'json',
): NamedValuePairs {
  const members = new Map<string, unknown>();
  const leftOut: string[] = [];
  const issues: InputIssue[] = [];
  for (const [given, value] of pairs) {
    const name = isEmpty(given) ? '' : withoutInvisible(String(given));
    const read = isEmpty(value) ? undefined : pairValue(type, value);
    if (name === '' && read === undefined) continue;
    if (name === '') issues.push({ field: '', message: 'every field needs a name' });
    else if (members.has(name)) issues.push({ field: name, message: 'is set twice' });
    else if (read instanceof ValueRefusal) issues.push({ field: name, message: read.message });
    else if (read === undefined) leftOut.push(name);
    else members.set(name, read);
  }
  if (issues.length > 0) throw new InputError(title, issues);
  return { members: Object.fromEntries(members), leftOut };
}

function pairValue(type: 'text' | 'json', value: unknown): unknown {
  if (type === 'json' && typeof value === 'string') return trimInvisible(value);
  const isPlain = type === 'json' || typeof value === 'boolean';
  const read = readValue({ type: isPlain ? 'json' : 'text' }, value, {});
  return typeof value === 'number' && !(read instanceof ValueRefusal) ? value : read;
}

/** Reads a value that must be an object: as it is, or as JSON. Throws InputError. */
export function readJsonObject(
  title: string,
  field: string,
  given: unknown,
  example: string,
): Fields {
  const read = isEmpty(given) ? {} : readValue({ type: 'json' }, given, {}, { onlyJson: true });
  const message =
    read instanceof ValueRefusal
      ? read.message
      : `must be an object with fields, such as ${example}`;
  if (isRecord(read) && !(read instanceof ValueRefusal)) return read;
  throw new InputError(title, [{ field, message }]);
}

/** What the operation refuses itself comes in the same error. */
function withOthers(
  entry: CatalogueEntry,
  input: Fields,
  issues: readonly InputIssue[],
  { optional = [], more = [] }: Pick<FormOptions, 'optional' | 'more'> = {},
): InputError {
  const own = more.map(({ name }) => name);
  const known = new Set([...optional, ...own, ...issues.map(({ field }) => field)]);
  const isOwn = ({ field, message }: InputIssue) =>
    !known.has(field) && (field.replace(/\..*/, '') in input || message === 'is required');
  const others = inputIssuesOf(() => parseInput(entry, input)).filter(isOwn);
  return new InputError(entry.title, [...issues, ...others]);
}

/** Reads the parts of a form, of which each may throw. Throws one InputError with every fault. */
export function readBothParts<First, Second>(
  title: string,
  first: () => First,
  second: () => Second,
): [First, Second] {
  const results: unknown[] = [];
  const issues = [first, second].flatMap((read) => inputIssuesOf(() => results.push(read())));
  if (issues.length > 0) throw new InputError(title, issues);
  return results as [First, Second];
}

/** The faults that a reader throws; none if it throws nothing. */
export function inputIssuesOf(read: () => unknown): readonly InputIssue[] {
  try {
    read();
    return [];
  } catch (error) {
    if (InputError.isInstance(error)) return error.issues;
    throw error;
  }
}
