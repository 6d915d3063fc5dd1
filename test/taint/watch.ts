import { inspect } from 'node:util';

const marker = Symbol.for('screen-advertising.error');

/** How many errors to keep before checking them, since code may still add to them. */
const kept = 200;

/** Looks for secrets in everything that tests produce. */
class Watch {
  #findings = new Set<string>();
  #errors: Error[] = [];
  /** Number of checked errors, records and lines. */
  looks = 0;

  /** Checks data that people can read: a record as it is stored or sent, or a line of a log. */
  data(where: string, value: unknown): void {
    this.#look(where, typeof value === 'string' ? value : asJson(value));
  }

  /** Checks what a platform shows or stores when a run fails, in all its forms. */
  failure(where: string, error: unknown): void {
    this.#look(`${where}, inspected`, inspected(error));
    this.#look(`${where}, as JSON`, asJson(error));
  }

  /** Checks a new error soon, if it is one of the core's. */
  error(error: Error): void {
    this.#errors.push(error);
    if (this.#errors.length > kept) this.#lookAtErrors(this.#errors.splice(0, kept));
  }

  /** Returns each finding once, and forgets it. */
  take(): string[] {
    this.#lookAtErrors(this.#errors.splice(0));
    const findings = [...this.#findings];
    this.#findings.clear();
    return findings;
  }

  #lookAtErrors(errors: readonly Error[]): void {
    for (const error of errors) {
      if (!(marker in error)) continue;
      // Without the stack: it costs a hundred times as much to check and only quotes the message.
      if (isFlat(error)) this.#look(error.name, [error.message, ...valuesOf(error)].join('\n'));
      else this.failure(error.name, error);
    }
  }

  #look(where: string, text: string): void {
    this.looks += 1;
    for (const secret of secretsIn(text)) this.#findings.add(`${where}: ${secret}`);
  }
}

/** Whether an error has no nested values and no custom output. */
function isFlat(error: Error): boolean {
  const isShownAsItIs = !(inspect.custom in error) && !('toJSON' in error);
  return isShownAsItIs && valuesOf(error).every((value) => Object(value) !== value);
}

function valuesOf(error: Error): unknown[] {
  const names = Reflect.ownKeys(error).filter((name) => name !== 'stack');
  return names.map((name) => Reflect.get(error, name));
}

/** Includes hidden members and every cause. */
function inspected(value: unknown): string {
  return inspect(value, { depth: 9, showHidden: true, maxStringLength: null, breakLength: 9999 });
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return inspected(value);
  }
}

/** The watch of this test file. */
export const watch = new Watch();

/**
 * Every secret of the tests has a recognizable form: API keys, access tokens, connector keys, admin
 * tokens, signing secrets, and both secrets of the sandbox's accesses.
 */
const forms =
  /\b(?:adm|svc|sat|rly|whsec)_[\w-]{8,}|(?<!#)\b[a-z][\w-]*-(?:client|signing)-secret\b/g;

/** The secrets in a text or, if there are none in plain form, the encoded ones. */
export function secretsIn(text: string): string[] {
  const plain = known(text);
  if (plain.length > 0) return plain;
  const unescaped = text.replace(escapes, charOf);
  const encoded = unescaped === text ? [] : known(unescaped);
  return encoded.length > 0 ? encoded : (unescaped.match(base64)?.flatMap(decoded) ?? []);
}

function known(text: string): string[] {
  return text.match(forms) ?? [];
}

/** Escaped characters of URLs, JSON and HTML. ASCII is enough for the secrets of the tests. */
const escapes = /%([\da-f]{2})|\\u00([\da-f]{2})|&#x0*([\da-f]{2});|&#0*(\d{2,3});/gi;

function charOf(_all: string, ...[url, json, hex, decimal]: string[]): string {
  const code = decimal === undefined ? `0x${url ?? json ?? hex}` : decimal;
  return String.fromCharCode(Number(code));
}

/** Long enough for the shortest secret. */
const base64 = /[\w+/-]{16,}/g;

/** Text before a secret shifts its position within base64's groups of four characters. */
function decoded(run: string): string[] {
  return [0, 1, 2, 3].flatMap((shift) =>
    known(Buffer.from(run.slice(shift), 'base64').toString('latin1')),
  );
}
