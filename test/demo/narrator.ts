import { writeSync } from 'node:fs';

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string): string =>
  colour ? `\u001b[${code}m${text}\u001b[0m` : text;

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
      this.#steps += 1;
      this.#write(`  ${paint(32, 'ok')}  ${title}: ${tell(result)}`);
      return result;
    } catch (error) {
      this.#write(`  ${paint(31, 'failed')}  ${title}`);
      throw new Error(`"${title}" failed. ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }

  end(text: string): void {
    this.#write(`\n${text} ${this.#steps} steps ok.`);
  }

  fail(error: unknown): void {
    this.#write(`\n${paint(31, error instanceof Error ? error.message : String(error))}`);
  }

  #write(line: string): void {
    writeSync(1, `${line}\n`);
  }
}
