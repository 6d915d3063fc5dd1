import { type RawBuilder, sql } from 'kysely';

/** A condition that counts only with a value. */
export function when<Value>(
  value: Value | undefined,
  condition: (value: Value) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return value === undefined ? sql`` : condition(value);
}
