import { isRecord } from '../json.ts';

/**
 * API keys, connector keys, and bearer tokens too long to be words of a sentence. A key may follow
 * an escaped character, and contain some.
 */
const credential =
  /(?:\b|(?<=%[\da-f]{2}))(?:svc|rly|whsec)_[\w.~+/=%-]+|\bbearer\s+[\w.~+/=-]{20,}/gi;

/** Removes secrets from outside text that goes into an error. */
export type RedactText = (text: string) => string;

/** Finds these secrets as they are, URL-encoded, and escaped for JSON. */
export function createRedact(secrets: readonly string[]): RedactText {
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret.toWellFormed()),
      JSON.stringify(secret).slice(1, -1),
    ])
    // The longer one first, since one may be the beginning of another.
    .sort((one, other) => other.length - one.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const known = forms.length > 0 ? new RegExp(forms.join('|'), 'gi') : credential;
  return (text) => text.replace(known, '[redacted]').replace(credential, '[redacted]');
}

/** Redacts every text in a parsed body, including member names. */
export function redactAll(value: unknown, redact: RedactText): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((member) => redactAll(member, redact));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name), redactAll(member, redact)]),
  );
}

const defaultLength = 300;

interface OutsideTextOptions {
  /** Secrets that the process knows. Credentials of known shapes are redacted in any case. */
  readonly secrets?: readonly string[];
  /** In UTF-16 units. Default: 300. */
  readonly maxLength?: number;
}

/**
 * Makes text from another server safe to show in errors, logs and terminals: without secrets in any
 * encoding, on one line, with invisible characters escaped, and cut.
 */
export function safeOutsideText(
  text: string,
  { secrets = [], maxLength = defaultLength }: OutsideTextOptions = {},
): string {
  const redact = createRedact(secrets);
  // A secret with spaces may appear only when the spaces of the text are collapsed.
  const line = redact(escapeInvisible(redact(text).slice(0, 10 * maxLength)));
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
}

/**
 * One line. Escapes control characters, which a terminal obeys, and format characters, which
 * reorder or hide the text around them.
 */
export function escapeInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\u0085]+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, escaped)
    .trim();
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `\\u${code > 0xffff ? `{${code.toString(16)}}` : code.toString(16).padStart(4, '0')}`;
}
