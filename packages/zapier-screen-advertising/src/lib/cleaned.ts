/**
 * A value as a person meant it: mapped values carry white space around them, and texts of nothing
 * else. Inside lists and pairs of key and value, too; pairs without a value are left out.
 */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([key, inner]) => [key.trim(), cleaned(inner)] as const);
  return Object.fromEntries(pairs.filter(([key, inner]) => key !== '' && !isBlank(inner)));
}

/** Nothing that anybody could see: not filled in, white space alone, or no pairs at all. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}
