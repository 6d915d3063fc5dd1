import { inspect } from 'node:util';
import { secretsIn } from './secrets.ts';

const marker = Symbol.for('screen-advertising.error');

/** So many errors are kept until they are looked at: what made them may still add to them. */
const kept = 200;

/** Looks for secrets in whatever comes to light while tests run. */
export class Watch {
  #findings = new Set<string>();
  #errors: Error[] = [];
  /** How many errors, records and lines were looked at. */
  looks = 0;

  /** Looks at what somebody can read: a record as it is stored or sent, or a line of a log. */
  data(where: string, value: unknown): void {
    this.#look(where, typeof value === 'string' ? value : asJson(value));
  }

  /** Looks at what a platform shows or stores when a run fails, in all its forms. */
  failure(where: string, error: unknown): void {
    this.#look(`${where}, inspected`, inspected(error));
    this.#look(`${where}, as JSON`, asJson(error));
  }

  /** Looks soon at an error that was just made, if it is one of the core's. */
  error(error: Error): void {
    this.#errors.push(error);
    if (this.#errors.length > kept) this.#lookAtErrors(this.#errors.splice(0, kept));
  }

  /** What was found, each once, and forgotten with this. */
  take(): string[] {
    this.#lookAtErrors(this.#errors.splice(0));
    const findings = [...this.#findings];
    this.#findings.clear();
    return findings;
  }

  #lookAtErrors(errors: readonly Error[]): void {
    for (const error of errors) {
      if (!(marker in error)) continue;
      // All but the stack, whose lines cost a hundred times as much and quote the message alone.
      if (isFlat(error)) this.#look(error.name, [error.message, ...valuesOf(error)].join('\n'));
      else this.failure(error.name, error);
    }
  }

  #look(where: string, text: string): void {
    this.looks += 1;
    for (const secret of secretsIn(text)) this.#findings.add(`${where}: ${secret}`);
  }
}

/** Nothing is nested in it, and it has no form of its own. */
function isFlat(error: Error): boolean {
  const isShownAsItIs = !(inspect.custom in error) && !('toJSON' in error);
  return isShownAsItIs && valuesOf(error).every((value) => Object(value) !== value);
}

function valuesOf(error: Error): unknown[] {
  const names = Reflect.ownKeys(error).filter((name) => name !== 'stack');
  return names.map((name) => Reflect.get(error, name));
}

/** With the members that are not shown otherwise, and every cause. */
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

/** The one of this test file. */
export const watch = new Watch();
