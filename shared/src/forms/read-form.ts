import { formFields } from '../catalogue/fields.ts';
import type { CatalogueEntry, InputOf } from '../catalogue/operation.ts';
import { parseInput } from '../client/request.ts';
import { InputError, type InputIssue } from '../errors/error-classes.ts';
import { isDate } from './dates.ts';
import { Refusal, readValue, type ValueOptions } from './read-value.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How one form reads its fields. */
export interface FormOptions extends ValueOptions {
  /** Fields that this form does not require. */
  readonly optional?: readonly string[];
}

/**
 * Reads what a person wrote or mapped as the input of a catalogue entry: text without surrounding
 * white space, amounts in currency units as cents, and numbers, dates, countries, choices and JSON as
 * people write them. Empty fields are left out. The client checks whether the values are allowed.
 * Throws one InputError with every fault.
 */
export function readForm<Op extends CatalogueEntry>(
  entry: Op,
  entered: Fields,
  { optional = [], ...options }: FormOptions = {},
): InputOf<Op> {
  const input: Record<string, unknown> = {};
  const issues: InputIssue[] = [];
  for (const field of formFields(entry)) {
    const raw = entered[field.name];
    const given = typeof raw === 'string' ? raw.trim() : raw;
    if (given === undefined || given === null || given === '') continue;
    const value = readValue(field, given, input, options);
    if (value instanceof Refusal) issues.push({ field: field.name, message: value.message });
    else input[field.name] = value;
  }
  if (issues.length > 0) throw withOthers(entry, input, issues, optional);
  return input as InputOf<Op>;
}

/**
 * Reads the days and times of an input as a form does, without a time zone, and leaves everything
 * else as it is. Throws one InputError with every fault if one of them cannot be read.
 */
export function readDays(entry: CatalogueEntry, entered: Fields): Fields {
  const input: Record<string, unknown> = { ...entered };
  const issues: InputIssue[] = [];
  for (const field of formFields(entry).filter(isDate)) {
    const given = entered[field.name];
    if (typeof given !== 'string') continue;
    const value = readValue(field, given, input, {});
    if (value instanceof Refusal) issues.push({ field: field.name, message: value.message });
    else input[field.name] = value;
  }
  if (issues.length > 0) throw withOthers(entry, input, issues);
  return input;
}

/** What the operation refuses itself comes in the same error. */
function withOthers(
  entry: CatalogueEntry,
  input: Fields,
  issues: readonly InputIssue[],
  optional: readonly string[] = [],
): InputError {
  const known = new Set([...optional, ...issues.map(({ field }) => field)]);
  const isOwn = ({ field, message }: InputIssue) =>
    !known.has(field) && (field.replace(/\..*/, '') in input || message === 'is required');
  const others = issuesOf(() => parseInput(entry, input)).filter(isOwn);
  return new InputError(entry.title, [...issues, ...others]);
}

/** Reads the parts of a form, of which each may throw. Throws one InputError with every fault. */
export function readBoth<First, Second>(
  title: string,
  first: () => First,
  second: () => Second,
): [First, Second] {
  const results: unknown[] = [];
  const issues = [first, second].flatMap((read) => issuesOf(() => results.push(read())));
  if (issues.length > 0) throw new InputError(title, issues);
  return results as [First, Second];
}

function issuesOf(read: () => unknown): readonly InputIssue[] {
  try {
    read();
    return [];
  } catch (error) {
    if (InputError.isInstance(error)) return error.issues;
    throw error;
  }
}
