import { isRecord } from '../json.ts';

/**
 * API keys, connector keys, and bearer tokens too long to be words of a sentence. A key may follow
 * an escaped character, and contain some.
 */
const credential =
  /(?:\b|(?<=%[\da-f]{2}))(?:svc|rly|whsec)_[\w.~+/=%-]+|\bbearer\s+[\w.~+/=-]{20,}/gi;

/** Removes secrets from outside text that goes into an error. */
export type Redact = (text: string) => string;

/** Cached: many errors in a row have the same secrets, and long patterns take milliseconds. */
let latest: { readonly key: string; readonly redact: Redact } | undefined;

/** Finds these secrets as they are, URL-encoded, escaped for JSON or HTML, in base64, and in hex. */
export function redactor(secrets: readonly string[]): Redact {
  const key = JSON.stringify(secrets);
  if (latest?.key !== key) latest = { key, redact: compiled(secrets) };
  return latest.redact;
}

function compiled(secrets: readonly string[]): Redact {
  const forms = secrets
    .filter((secret) => secret !== '')
    // The longer one first, since one secret may be the beginning of another.
    .sort((one, other) => other.length - one.length)
    .flatMap((secret) => [
      [...secret].map(inAnyForm).join(''),
      ...inBase64(secret),
      ...inHex(secret),
    ]);
  const known = forms.length > 0 ? new RegExp(forms.join('|'), 'gi') : credential;
  return (text) => text.replace(known, '[redacted]').replace(credential, '[redacted]');
}

/** Redacts every text in a parsed body, including member names. */
export function redactAll(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((member) => redactAll(member, redact));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name), redactAll(member, redact)]),
  );
}

const utf8 = new TextEncoder();

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * The pattern of a character that an encoder may escape or replace. The longer form comes first,
 * and no form appears twice: a search that fails late would try every combination of equal forms.
 */
function inAnyForm(char: string): string {
  if (/[a-z\d]/i.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const forms = new Set([
    Array.from(utf8.encode(char), (byte) => `%${hex(byte, 2)}`).join(''),
    units(char),
    JSON.stringify(char).slice(1, -1),
    `\\${char}`,
    entities[char] ?? char,
    char,
    ...(char === ' ' ? ['+'] : []),
  ]);
  return `(?:&#(?:0*${code}|x0*${hex(code)});|${Array.from(forms, units).join('|')})`;
}

/** Each unit as `\uXXXX`, as JSON escapes non-ASCII characters and patterns any character. */
function units(text: string): string {
  return text.replace(/[\s\S]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
}

function hex(value: number, digits = 1): string {
  return value.toString(16).padStart(digits, '0');
}

/** Shorter runs of base64 may be words. */
const shortestRun = 8;

/**
 * The patterns of a secret within base64. Text before the secret, such as a client ID, shifts it to
 * one of three positions in a group of characters.
 */
function inBase64(secret: string): string[] {
  const bytes = utf8.encode(secret);
  return [0, 1, 2]
    .map((before) => {
      const text = btoa(String.fromCharCode(...new Uint8Array(before), ...bytes));
      // Drops the characters that also hold bits of the neighboring text.
      return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    })
    .filter(({ length }) => length >= shortestRun)
    .map((run) => `${run.replace(/[+/]/g, inEitherAlphabet)}[\\w+/=-]*`);
}

/** The pattern of every byte in hex, also as `%41`, `\x41` or `41:42`. */
function inHex(secret: string): string[] {
  const bytes = Array.from(utf8.encode(secret), (byte) => `(?:%|\\\\x|[ :])?${hex(byte, 2)}`);
  return bytes.length < shortestRun ? [] : [bytes.join('').replace('|[ :]', '')];
}

function inEitherAlphabet(char: string): string {
  return `(?:${inAnyForm(char)}|${char === '+' ? '-' : '_'})`;
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
export function outsideText(
  text: string,
  { secrets = [], maxLength = defaultLength }: OutsideTextOptions = {},
): string {
  const redact = redactor(secrets);
  // A secret with spaces may appear only when the spaces of the text are collapsed.
  const line = redact(visibleText(redact(text).slice(0, 10 * maxLength)));
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
}

/**
 * One line. Escapes control characters, which a terminal obeys, and format characters, which
 * reorder or hide the text around them.
 */
export function visibleText(text: string): string {
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
