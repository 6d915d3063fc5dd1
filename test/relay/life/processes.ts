import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { node, type Program, startProgram } from '../../support/program.ts';
import { onDatabase, secretKey } from '../support/running-relay.ts';
import { byHand, named } from './audit.ts';
import type { History } from './history.ts';

const main = path.resolve(__dirname, '../../../packages/relay/src/run/cli/main.ts');

/** A relay in its own process, which a supervisor starts again on the same port. */
class RelayProcess {
  readonly #port: number;
  readonly #databaseUrl: string;
  /** The output of those that ended, and were not killed. */
  readonly crashes: string[] = [];
  #program: Program | undefined;

  constructor(port: number, databaseUrl: string) {
    this.#port = port;
    this.#databaseUrl = databaseUrl;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    const program = startProgram(node, ['--conditions=source', '--no-warnings', main, 'start'], {
      env: {
        RELAY_SECRET_KEY: secretKey,
        RELAY_ALLOW_TARGETS: '127.0.0.1',
        DATABASE_URL: this.#databaseUrl,
        PORT: String(this.#port),
      },
    });
    this.#program = program;
    void program.ended.then(({ errors }) => {
      if (this.#program === program) this.crashes.push(errors);
    });
    await eventually(
      () =>
        fetch(`${this.url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'the relay is ready',
    );
  }

  /** Like a power cut. */
  async kill(): Promise<void> {
    const program = this.#program;
    this.#program = undefined;
    program?.kill();
    await program?.ended;
  }

  signal(name: NodeJS.Signals): void {
    this.#program?.signal(name);
  }
}

/** Longer than a lease. */
const pauseMs = 16_500;

/** Two relay processes on one database. */
export class Processes {
  readonly #all: readonly RelayProcess[];
  readonly #databaseUrl: string;
  readonly #paused = new Set<number>();
  #calls = 0;

  private constructor(all: readonly RelayProcess[], databaseUrl: string) {
    this.#all = all;
    this.#databaseUrl = databaseUrl;
  }

  static async start(databaseUrl: string): Promise<Processes> {
    const ports = [await freePort(), await freePort()];
    const all = ports.map((port, nth) => new RelayProcess(port, named(databaseUrl, nameOf(nth))));
    await Promise.all(all.map((one) => one.start()));
    return new Processes(all, databaseUrl);
  }

  /** One that is not paused, as a load balancer chooses. */
  next(): string {
    this.#calls += 1;
    const nth = this.#calls % this.#all.length;
    const chosen = this.#paused.has(nth) ? this.#all.length - 1 - nth : nth;
    return (this.#all[chosen] as RelayProcess).url;
  }

  /** Kills one, and restarts it. The 15 s for which it had its leases pass at once. */
  async kill(nth: number): Promise<void> {
    await this.#all[nth]?.kill();
    const expire = `UPDATE lease SET leased_until = clock_timestamp() WHERE owner::text IN (
      SELECT after ->> 'owner' FROM audit
      WHERE place = 'lease' AND before ->> 'owner' IS DISTINCT FROM after ->> 'owner' AND process = '${nameOf(nth)}' AND at <= to_timestamp(${Date.now() / 1_000}))`;
    await onDatabase(named(this.#databaseUrl, byHand), (client) => client.query(expire));
    await this.#all[nth]?.start();
  }

  /** Nothing of it runs for longer than its leases last. It continues where it stopped. */
  async pause(nth: number, { pauses }: History): Promise<void> {
    const pause = { from: Date.now(), until: Number.POSITIVE_INFINITY };
    pauses.push(pause);
    this.#paused.add(nth);
    this.#all[nth]?.signal('SIGSTOP');
    await wait(pauseMs);
    this.#all[nth]?.signal('SIGCONT');
    this.#paused.delete(nth);
    pause.until = Date.now();
  }

  /** Returns the output of those that crashed. */
  async stop(): Promise<readonly string[]> {
    await Promise.all(this.#all.map((one) => one.kill()));
    return this.#all.flatMap(({ crashes }) => crashes);
  }
}

const nameOf = (nth: number) => `relay-${nth}`;
