import type * as z from 'zod/mini';
import type { relayRecordSchemas } from './records.ts';

/** Reasons of a 409, in the words that the relay responds with. */
export const conflictReasons = {
  deleted: 'The subscription was deleted, so its target gets no more deliveries.',
  revoked:
    'The token of this subscription was revoked, so its target gets no more deliveries. Create another, and subscribe with it.',
  erased: 'The event was erased, so nothing can be delivered.',
  switchRevoked:
    'The token of this subscription was revoked. Create another, and subscribe with it.',
  switchRotated:
    'The key of this subscription was rotated, and the new one has not been used. Enter it in the connector: its first request switches the subscription on.',
} as const;

/** Which rights a request needs: the relay has a table of what each right reaches. */
export type RightsNeed = 'events' | 'see' | 'change' | 'erase';

type RecordName = keyof typeof relayRecordSchemas;

/** A command of the command line that makes this request. */
interface RelayCommand<Field extends string> {
  /** The words that choose it, such as `subscriptions list`. */
  readonly words: string;
  /** Its help, in at most 60 characters. */
  readonly does: string;
  /** The inputs that are its options. */
  readonly options?: readonly Field[];
  /** The one of them that is required. */
  readonly requires?: Field;
  /** The input that is its argument, in capitals. */
  readonly takes?: readonly [argument: string, field: Field];
  /** Inputs that it always sends. */
  readonly fixed?: Readonly<Partial<Record<Field, unknown>>>;
}

/**
 * An operation of the relay's API, stated once: the routes, the operator's functions and commands,
 * the page's actions and the documents follow from it.
 */
export interface RelayOperation<
  Id extends string = string,
  Path extends string = string,
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output extends RecordName | undefined = RecordName | undefined,
> {
  /** `records.verb`, such as `subscriptions.retry`. */
  readonly id: Id;
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** Below /api/v1. `{id}` is of a record. */
  readonly path: Path;
  readonly need: RightsNeed;
  /** Short label in Title Case. */
  readonly title: string;
  readonly description: string;
  /** The query of a GET or DELETE, the body of any other. */
  readonly input: Input;
  /** Help about inputs whose schema has none, because clients bundle it. */
  readonly fields?: { readonly [Field in keyof Input['shape']]?: string };
  /** Name of the response body; undefined for none. */
  readonly output: Output;
  /** Statuses of a success. Default: 200. */
  readonly statuses?: readonly number[];
  /** Why it may respond with 409. */
  readonly conflicts?: readonly string[];
  /** Further statuses, and why. */
  readonly problems?: Readonly<Record<number, string>>;
  readonly commands?: readonly RelayCommand<keyof Input['shape'] & string>[];
}

/** Makes an entry of the contract, with its literal types. */
export function defineRelayOperation<
  const Id extends string,
  const Path extends string,
  Input extends z.ZodMiniObject,
  const Output extends RecordName | undefined,
>(definition: RelayOperation<Id, Path, Input, Output>): RelayOperation<Id, Path, Input, Output> {
  return definition;
}
