type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

const longNumber = /\d{16}|\d[eE]\+?\d{3}/;

/** JSON.parse would round these silently; as text they keep every digit. */
const keepDigits: Reviver = (_key, value, context) =>
  typeof value === 'number' &&
  context?.source !== undefined &&
  (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    ? context.source
    : value;

/**
 * Parses JSON text without altering values: a number that a double cannot hold, such as an
 * integer beyond 2^53, comes as the string of its digits. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return longNumber.test(json) ? JSON.parse(json, keepDigits) : JSON.parse(json);
}

/** The same, giving `fallback` for text that is no JSON. */
export function parseJsonOr(text: string, fallback: unknown): unknown {
  try {
    return parseJson(text);
  } catch {
    return fallback;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
