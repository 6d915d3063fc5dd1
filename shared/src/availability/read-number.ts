/** A number of a record, which may come as text. Undefined for what is none: nobody guesses then. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
