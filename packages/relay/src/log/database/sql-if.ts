import { type RawBuilder, sql } from 'kysely';

/** Adds a condition only if its value is defined. */
export function sqlIf<Value>(
  value: Value | undefined,
  condition: (value: Value) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return value === undefined ? sql`` : condition(value);
}
