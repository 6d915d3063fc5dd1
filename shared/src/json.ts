/**
 * A number too long for a double. Most bodies hold none and are parsed once, as they are. The
 * digits are written out because V8 then skips ahead: `\d{16}` costs eight times as much, most of a
 * JSON.parse.
 */
const longNumber = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d|\d[eE]\+?\d\d\d/;

/** Matches texts, which stay as they are, and numbers. */
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON text without altering values: a number that a double cannot hold, such as an integer
 * beyond 2^53, becomes the string of its digits. Throws SyntaxError.
 */
export function parseJsonExactly(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const value: unknown = JSON.parse(json);
  return longNumber.test(json) ? JSON.parse(json.replace(textOrNumber, keepDigits)) : value;
}

/** JSON.parse would silently round these numbers; as text they keep every digit. */
function keepDigits(token: string): string {
  if (token.startsWith('"') || !longNumber.test(token)) return token;
  const value = Number(token);
  const isExact = Number.isSafeInteger(value) || (Number.isFinite(value) && value % 1 !== 0);
  return isExact ? token : `"${token}"`;
}

/** Parses JSON text like `parseJsonExactly`, but returns `fallback` for any other text. */
export function parseJsonOr(text: string, fallback: unknown): unknown {
  try {
    return parseJsonExactly(text);
  } catch {
    return fallback;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number from outside, possibly as text. Undefined for anything else, rather than a guess. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/**
 * The ID of a record as text, to compare it or to use it in a path; undefined without one. The
 * contract shows text (section 2), but a service may send numbers: records keep what it sent.
 */
export function recordId({ id }: { readonly id?: unknown }): string | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id : undefined;
}
