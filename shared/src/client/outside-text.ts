import { redactor } from './redact.ts';

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
