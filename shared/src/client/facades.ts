import type * as z from 'zod/mini';
import { type Catalogue, catalogue } from '../catalogue/index.ts';
import type { Operation } from '../catalogue/operation.ts';
import type { Answer } from './answer.ts';
import type { Call, CallOptions } from './call.ts';

/** A list may be asked for without filters. */
type Method<Op extends Operation> = Op['answer'] extends 'record'
  ? (input: z.input<Op['input']>, options?: CallOptions) => Promise<Answer<Op>>
  : (input?: z.input<Op['input']>, options?: CallOptions) => Promise<Answer<Op>>;

type Methods<Group> = {
  readonly [Action in keyof Group]: Group[Action] extends Operation ? Method<Group[Action]> : never;
};

/** One method per operation, in the tree of the catalogue. */
export type Facades = { readonly [Group in keyof Catalogue]: Methods<Catalogue[Group]> };

export function facades(call: Call): Facades {
  const method =
    (operation: Operation) =>
    (input?: object, options?: CallOptions): Promise<unknown> =>
      call(operation, operation.answer === 'record' ? input : (input ?? {}), options);
  return mapped(catalogue, (group) => mapped(group, method)) as unknown as Facades;
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
