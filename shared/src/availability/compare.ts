/** For sorting, the same on every machine: no locale has a say. */
export function compare<Value extends number | string>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
