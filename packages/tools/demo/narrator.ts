import { writeSync } from 'node:fs';
import type { Sandbox } from '@screen-advertising/sandbox';

/** What every chapter needs: a sandbox, and what prints its steps. */
export interface Service {
  readonly narrator: Narrator;
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
}

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string): string =>
  colour ? `\u001b[${code}m${text}\u001b[0m` : text;

/** Columns of a line, and of the title of a step. */
const width = Math.min(process.stdout.columns ?? 100, 120);
const titleWidth = 40;

/** Prints what happens, one line per step. */
export class Narrator {
  #steps = 0;

  chapter(title: string): void {
    this.#write(`\n${paint(1, title)}`);
  }

  note(text: string): void {
    this.#write(`    ${paint(2, text)}`);
  }

  /** Runs a step and prints its result. An error names the step. */
  async step<T>(title: string, work: () => Promise<T>, tell: (result: T) => string): Promise<T> {
    try {
      const result = await work();
      const text = tell(result);
      this.#steps += 1;
      const head = `  ${paint(32, 'ok')}  ${title.padEnd(titleWidth)}  `;
      this.#write(head + fitted(text, width - 8 - Math.max(title.length, titleWidth)));
      return result;
    } catch (error) {
      this.#write(`  ${paint(31, 'failed')}  ${title}`);
      throw new Error(`"${title}" failed. ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }

  end(text: string): void {
    this.#write(`\n${paint(32, 'ok')}  ${this.#steps} steps. ${text}`);
  }

  /** The commands to type after this one. */
  next(commands: readonly (readonly [command: string, what: string])[]): void {
    this.#write(`\n${paint(1, 'Next')}`);
    for (const [command, what] of commands) this.#write(`    ${command.padEnd(titleWidth)}${what}`);
  }

  fail(error: unknown): void {
    this.#write(`\n${paint(31, error instanceof Error ? error.message : String(error))}`);
  }

  #write(line: string): void {
    writeSync(1, `${line}\n`);
  }
}

/** In one line, without the later parts of UUIDs, which tell a reader nothing. */
function fitted(text: string, columns: number): string {
  const short = text.replace(/([\da-f]{8})(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '$1…');
  return short.length <= columns ? short : `${short.slice(0, columns - 1)}…`;
}
