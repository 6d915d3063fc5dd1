import { events as kinds } from './catalogue/events.ts';
import { catalogue, type OperationGroups } from './catalogue/index.ts';
import type { NoDifferences, SchemaDifferences } from './catalogue/operation.ts';
import type { EventKinds, KnownEvent } from './types/events.ts';
import type { Operations } from './types/index.ts';

/** Every webhook event by name (section 6). */
export const events: EventKinds = kinds;
[] satisfies NoDifferences<Exclude<keyof typeof kinds, keyof EventKinds & KnownEvent['type']>>;

type Member<Record> = Record[keyof Record];
type AnyOperation = Member<{ [Group in keyof OperationGroups]: Member<OperationGroups[Group]> }>;

/** The name of an operation, such as `coupon.create`. */
export type OperationName = keyof Operations;

const named = Object.fromEntries(
  Object.values(catalogue)
    .flatMap((group): AnyOperation[] => Object.values(group))
    .map((operation) => [operation.name, operation]),
) as { readonly [Op in AnyOperation as Op['name']]: Op };

/** The operations of the catalogue by name. */
export const operations: Operations = named;
// The compiler names an interface that differs from its schema.
[] satisfies NoDifferences<SchemaDifferences<Operations, typeof named>>;
