import type * as z from 'zod/mini';
import { type Catalogue, catalogue } from '../catalogue/index.ts';
import type { Operation } from '../catalogue/operation.ts';
import type { ResultOf } from './response.ts';
import type { Call, CallOptions } from './run.ts';

/** The filters of a list are optional. */
type Method<Op extends Operation> = Op['responseKind'] extends 'record'
  ? (input: z.input<Op['input']>, options?: CallOptions) => Promise<ResultOf<Op>>
  : (input?: z.input<Op['input']>, options?: CallOptions) => Promise<ResultOf<Op>>;

type Methods<Group> = {
  readonly [Action in keyof Group]: Group[Action] extends Operation ? Method<Group[Action]> : never;
};

/** One method per operation, in the tree of the catalogue. */
export type Facades = { readonly [Group in keyof Catalogue]: Methods<Catalogue[Group]> };

/**
 * The prototype of every client. It builds the methods of a group on first use, because connectors
 * create a client per run and call operations by their catalogue entry.
 */
export const facades: object = Object.defineProperties(
  {},
  mapped(catalogue, (group, name) => ({
    get(this: { readonly call: Call }) {
      const { call } = this;
      const methods = mapped(
        group as Readonly<Record<string, Operation>>,
        (operation) => (input?: object, options?: CallOptions) =>
          call(operation, operation.responseKind === 'record' ? input : (input ?? {}), options),
      );
      Object.defineProperty(this, name, { value: methods });
      return methods;
    },
  })),
);

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(value, name)]),
  );
}
