import { type FormField, formFields, InputError, type Task } from '@screen-advertising/core';

type InputData = Readonly<Record<string, unknown>>;

/** What an operation or task takes. */
type InputOf<Op extends Task> = Op['input']['_zod']['input'];

/**
 * What a person filled in, as an operation or task takes it: empty fields are left out, numbers and JSON
 * that came as text are read. Whether it allows them, the client checks. Throws InputError.
 */
export function readInput<Op extends Task>(operation: Op, inputData: InputData): InputOf<Op> {
  const filled = fieldsOf(operation).filter(({ name }) => !isEmpty(inputData[name]));
  return Object.fromEntries(
    filled.map((field) => [field.name, readValue(operation, field, inputData[field.name])]),
  );
}

/** Kept: they are made from the JSON Schema of the input, which costs more than all the rest here. */
const known = new WeakMap<Task, readonly FormField[]>();

function fieldsOf(operation: Task): readonly FormField[] {
  const fields = known.get(operation) ?? formFields(operation);
  known.set(operation, fields);
  return fields;
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Empty, or of nothing that can be seen. */
export function isBlank(value: unknown): boolean {
  return isEmpty(typeof value === 'string' ? value.trim() : value);
}

function readValue(operation: Task, { name, type }: FormField, value: unknown): unknown {
  if (typeof value === 'number' && type === 'text') return String(value);
  if (typeof value !== 'string') return value;
  if (type === 'number' || type === 'integer') return readNumber(value);
  if (type === 'date') return dayOf(value);
  return type === 'json' ? readJson(operation, name, value) : value;
}

/** Text that is no number passes, so that the check of the input names the field. */
function readNumber(text: string): unknown {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}

/** Zapier writes a day as a time in the person's own zone, whose first ten characters are the day. */
function dayOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? text.slice(0, 10) : text;
}

function readJson(operation: Task, field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = 'must be JSON, such as {"crm_id":"42"}, or "text" in double quotes';
    throw new InputError(operation.title, [{ field, message }]);
  }
}
