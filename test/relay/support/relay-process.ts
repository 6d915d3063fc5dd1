import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import { node, type Program, startProgram } from '../../support/program.ts';

export const main = path.resolve(__dirname, '../../../packages/relay/src/run/cli/main.ts');
const pauseMs = 50;

/** A relay in its own process, from the command line. */
export function startRelay(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Program {
  return startProgram(node, ['--conditions=source', '--no-warnings', main, ...args], { env });
}

/** A relay process with a supervisor, which restarts it on the same port when it ends. */
export class RelayProcess {
  readonly url: string;
  /** The output of a process that exited unexpectedly after it was ready. */
  readonly crashes: string[] = [];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #ready = new Set<Program>();
  /** The output of a process that ended before it was ready. */
  #failure: string | undefined;
  readonly #killed = new Set<Program>();
  #program: Program | undefined;
  #supervision: Promise<void> | undefined;
  #isOver = false;

  private constructor(port: number, environment: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#environment = { ...environment, HOST: '127.0.0.1', PORT: String(port) };
  }

  static async start(environment: Readonly<Record<string, string>>): Promise<RelayProcess> {
    const relay = new RelayProcess(await freePort(), environment);
    relay.#supervision = relay.#supervise();
    while (!relay.#isReady) {
      if (relay.#failure !== undefined) {
        await relay.stop();
        throw new Error(`The relay did not start: ${relay.#failure}`);
      }
      await wait(pauseMs);
    }
    return relay;
  }

  get #isReady(): boolean {
    return this.#program !== undefined && this.#ready.has(this.#program);
  }

  /** Resolves when it responds. A process that has ended is restarted. */
  async ready(): Promise<void> {
    while (!this.#isReady) await wait(pauseMs);
  }

  /** Kills it like a power cut and calls `others` at the same time. The supervisor restarts it. */
  async kill(others: () => void = () => undefined): Promise<void> {
    await this.ready();
    const program = this.#program;
    if (program) this.#kill(program);
    others();
    await program?.ended;
  }

  /** To the process of the moment. */
  signal(name: NodeJS.Signals): void {
    this.#program?.signal(name);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    if (this.#program) this.#kill(this.#program);
    await this.#supervision;
  }

  async #supervise(): Promise<void> {
    while (!this.#isOver) {
      const program = startRelay(['start'], this.#environment);
      this.#program = program;
      void this.#watch(program);
      const { errors } = await program.ended;
      if (!this.#ready.has(program)) this.#failure = errors;
      else if (!this.#killed.has(program)) this.crashes.push(errors);
      this.#program = undefined;
    }
  }

  async #watch(program: Program): Promise<void> {
    while (this.#program === program) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok && this.#program === program) {
        this.#ready.add(program);
        return;
      }
      await wait(pauseMs);
    }
  }

  #kill(program: Program): void {
    this.#killed.add(program);
    try {
      program.kill();
    } catch {
      // It ended at this moment.
    }
  }
}
