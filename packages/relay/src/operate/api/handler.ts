import type { InputOf, OperationId, OutputOf } from '../../base/contract.ts';
import type { RelayContext } from '../../log/context.ts';
import type { Scope } from '../../subscribe/rights.ts';
import type { Caller } from './authenticate.ts';

export interface Call<Id extends OperationId> {
  readonly context: RelayContext;
  readonly caller: Caller;
  readonly scope: Scope;
  /** The one in the path. */
  readonly id: string;
  readonly input: InputOf<Id>;
  /** Default: the first status of the operation. */
  setStatus(status: 201): void;
}

/** Carries out an operation of the contract, and returns the body of the response, if it has one. */
type Handler<Id extends OperationId> = (call: Call<Id>) => OutputOf<Id> | Promise<OutputOf<Id>>;

/** By operation; of all whose IDs start so. */
export type HandlersOf<Start extends string = string> = {
  readonly [Id in Extract<OperationId, Start>]: Handler<Id>;
};
