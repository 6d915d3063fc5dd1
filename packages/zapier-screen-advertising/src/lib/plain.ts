import type { Operation } from '@screen-advertising/core';
import { formFields } from '@screen-advertising/core/forms';
import type { Bundle, Create, Search, ZObject } from 'zapier-platform-core';
import { withAmounts } from './amounts.ts';
import { changing, clientFor, once } from './client.ts';
import type { ErrorOptions } from './errors.ts';
import { found } from './found.ts';
import { guarded } from './guarded.ts';
import { inputFields } from './input-fields.ts';
import { deadlineMs } from './limits.ts';
import { outputFields } from './output-fields.ts';
import { readInput } from './read-input.ts';
import type { Step } from './step.ts';

/**
 * What Zapier says or does differently about an operation that it otherwise offers as in the
 * catalogue.
 */
export interface Own extends ErrorOptions {
  readonly description?: string;
  readonly advice?: NonNullable<Step['advice']>;
}

/**
 * A search for the one record that an operation reads. Its key must stay: saved Zaps refer to it.
 */
export function plainSearch(operation: Operation, own: Own = {}) {
  const step = stepOf(operation, `Find ${operation.resource.title}`, own);
  const find = (z: ZObject, bundle: Bundle) => {
    const input = readInput(operation, bundle.inputData);
    const call = clientFor(z, bundle).call(operation, input, { deadlineMs });
    return found(call.then((record) => withAmounts(record as object)));
  };
  return {
    ...describe(operation, step, own.description ?? operation.description.replace('Gets', 'Finds')),
    operation: { ...fieldsOf(operation, step), perform: guarded(find, step, own) },
  } satisfies Search;
}

/** A create for an operation that changes something. */
export function plainCreate(operation: Operation, own: Own = {}) {
  const step = stepOf(operation, operation.title, own);
  const patience = operation.recovery === 'none' ? once : changing;
  const change = async (z: ZObject, bundle: Bundle) => {
    const input = readInput(operation, bundle.inputData);
    return withAmounts((await clientFor(z, bundle, patience).call(operation, input)) as object);
  };
  return {
    ...describe(operation, step, own.description ?? operation.description),
    operation: { ...fieldsOf(operation, step), perform: guarded(change, step, own) },
  } satisfies Create;
}

function stepOf(operation: Operation, label: string, { advice }: Own): Step {
  const { scopes } = operation;
  return { label, scopes, fields: inputFields(operation), ...(advice && { advice }) };
}

function describe({ resource }: Operation, { label }: Step, description: string) {
  const key = label.toLowerCase().replaceAll(' ', '_');
  return { key, noun: resource.title, display: { label, description } };
}

/** The path parameters identify the record. */
function fieldsOf(operation: Operation, { fields }: Step) {
  const names = formFields(operation).filter((field) => field.in === 'path');
  return {
    inputFields: fields,
    outputFields: outputFields(
      operation,
      names.map(({ name }) => name),
    ),
    sample: withAmounts(operation.sample),
  };
}
