import { setTimeout as wait } from 'node:timers/promises';
import { RelayProcess } from '../support/relay-process.ts';
import { onDatabase, secretKey } from '../support/running-relay.ts';
import { byHand } from './audit.ts';
import type { Absence, History } from './history.ts';

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
    const all = await Promise.all(
      [0, 1].map((nth) =>
        RelayProcess.start({
          RELAY_SECRET_KEY: secretKey,
          RELAY_ALLOW_TARGETS: '127.0.0.1',
          DATABASE_URL: named(databaseUrl, nameOf(nth)),
        }),
      ),
    );
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
  async kill(nth: number, { absences }: History): Promise<void> {
    const absence = begin(absences, nth, 'killed');
    await this.#all[nth]?.kill();
    const expire = `UPDATE lease SET leased_until = clock_timestamp() WHERE owner::text IN (
      SELECT after ->> 'owner' FROM audit
      WHERE place = 'lease' AND before ->> 'owner' IS DISTINCT FROM after ->> 'owner' AND process = '${nameOf(nth)}' AND at <= to_timestamp(${Date.now() / 1_000}))`;
    await onDatabase(named(this.#databaseUrl, byHand), (client) => client.query(expire));
    await this.#all[nth]?.ready();
    absence.until = Date.now();
  }

  /** Nothing of it runs for longer than its leases last. It continues where it stopped. */
  async pause(nth: number, { absences }: History): Promise<void> {
    const absence = begin(absences, nth, 'paused');
    this.#paused.add(nth);
    this.#all[nth]?.signal('SIGSTOP');
    await wait(pauseMs);
    this.#all[nth]?.signal('SIGCONT');
    this.#paused.delete(nth);
    absence.until = Date.now();
  }

  /** Returns the output of those that crashed. */
  async stop(): Promise<readonly string[]> {
    await Promise.all(this.#all.map((one) => one.stop()));
    return this.#all.flatMap(({ crashes }) => crashes);
  }
}

function begin(absences: Absence[], process: number, kind: Absence['kind']): Absence {
  const absence = { process, kind, from: Date.now(), until: Number.POSITIVE_INFINITY };
  absences.push(absence);
  return absence;
}

const nameOf = (nth: number) => `relay-${nth}`;

export function named(databaseUrl: string, name: string): string {
  return `${databaseUrl}&application_name=${name}`;
}
