import { InputError, type InputIssue } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';
import { type FormField, formFields } from '@screen-advertising/core/forms';
import { parseInput, parseJson } from '@screen-advertising/core/platform';
import type { PlainInputField } from 'zapier-platform-core';

type InputData = Readonly<Record<string, unknown>>;

/** The input of an operation or task. */
type InputOf<Op extends Task> = Op['input']['_zod']['input'];

/**
 * Reads what a person filled in or mapped as the input of an operation or task: text without
 * surrounding white space, blank fields left out, and numbers, choices and JSON parsed from text.
 * The client checks whether the values are allowed. Throws one InputError with every fault;
 * `optional` names fields that this form does not require.
 */
export function readInput<Op extends Task>(
  operation: Op,
  inputData: InputData,
  optional: readonly string[] = [],
): InputOf<Op> {
  const input: Record<string, unknown> = {};
  const issues: InputIssue[] = [];
  for (const field of formFields(operation)) {
    const value = cleaned(inputData[field.name]);
    if (isBlank(value)) continue;
    issues.push(
      ...issuesOf(() => {
        input[field.name] = readValue(operation, field, value);
      }),
    );
  }
  if (issues.length === 0) return input as InputOf<Op>;
  const known = new Set([...optional, ...issues.map(({ field }) => field)]);
  const isOwn = ({ field, message }: InputIssue) =>
    !known.has(field) && (field.replace(/\..*/, '') in input || message === 'is required');
  const others = issuesOf(() => parseInput(operation, input)).filter(isOwn);
  throw new InputError(operation.title, [...issues, ...others]);
}

/** Reads the parts of a form, of which each may throw. Throws one InputError with every fault. */
export function together<First, Second>(
  label: string,
  first: () => First,
  second: () => Second,
): [First, Second] {
  const results: unknown[] = [];
  const issues = [first, second].flatMap((read) => issuesOf(() => results.push(read())));
  if (issues.length > 0) throw new InputError(label, issues);
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

function readValue(operation: Task, field: FormField, value: unknown): unknown {
  const refuse = (message: string) =>
    new InputError(operation.title, [{ field: field.name, message }]);
  if (typeof value === 'number' && field.type === 'text') return digitsOf(value, refuse);
  if (typeof value === 'number' && field.type === 'choice')
    return readChoice(field, String(value), refuse);
  if (typeof value !== 'string') return value;
  if (field.type === 'number' || field.type === 'integer') return readNumber(value, refuse);
  if (field.type === 'date') return dayOf(value);
  if (field.type === 'choice') return readChoice(field, value, refuse);
  return field.type === 'json' ? readJson(value, refuse) : value;
}

type Refuse = (message: string) => InputError;

/** A number with more digits than JavaScript keeps has lost some before it arrives here. */
function digitsOf(value: number, refuse: Refuse): string {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return String(value);
  throw refuse('has too many digits for a number: map it as text to keep them all');
}

function readNumber(text: string, refuse: Refuse): number {
  if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return Number(text);
  throw refuse(
    `must be a plain number such as 25 or 12.5, without units, spaces, or commas, not "${text}"`,
  );
}

/**
 * Zapier turns a day into a time in the person's own zone; its first ten characters are the day.
 */
function dayOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? text.slice(0, 10) : text;
}

/** A value from an earlier step may hold the label instead of the value. */
function readChoice({ choices = [] }: FormField, text: string, refuse: Refuse): string {
  const wanted = text.toLowerCase();
  for (const { value, title } of choices) {
    if (value.toLowerCase() === wanted || title.toLowerCase() === wanted) return value;
  }
  const labels = choices.map(({ title }) => title).join(', ');
  throw refuse(`must be one of ${labels}, not "${text}"`);
}

/** Text that is not JSON is meant as text, unless it was clearly meant to be JSON. */
function readJson(text: string, refuse: Refuse): unknown {
  try {
    return parseJson(text);
  } catch {
    if (!/^(\{\s*"|\[\s*["{[])/.test(text)) return text;
    throw refuse('starts like JSON but is not valid JSON, such as {"crm_id": "42"}');
  }
}

/**
 * Cleans up a value: mapped values often have surrounding white space, or nothing else. This
 * includes values in lists and in pairs of key and value; pairs without a value are left out.
 */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([key, inner]) => [key.trim(), cleaned(inner)] as const);
  return Object.fromEntries(pairs.filter(([key, inner]) => key !== '' && !isBlank(inner)));
}

/** What to say when none of these fields is filled in. */
export function atLeastOneOf(fields: readonly PlainInputField[]): string {
  const labels = fields.map(({ label }) => label).join(', ');
  return `at least one of these must be filled in: ${labels}. A field mapped from an earlier step may have been empty`;
}

/** True for undefined, null, '', white space, [] and {}. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}
