import type { SandboxContext } from './context.ts';
import type { Snapshot, StoredData } from './state/stored-records.ts';

/** The state of one sandbox as a whole: its records, and its clock. */
export class LiveState {
  readonly #context: SandboxContext;
  readonly #makeSeed: () => StoredData;
  readonly #resume: () => void;

  /** `resume` schedules the deliveries that a loaded state still has to send. */
  constructor(context: SandboxContext, makeSeed: () => StoredData, resume: () => void) {
    this.#context = context;
    this.#makeSeed = makeSeed;
    this.#resume = resume;
  }

  /** Of the live records: to read before anything changes. */
  current(): Snapshot {
    const { clock, store } = this.#context;
    return { version: 1, clock: clock.state(), data: store.data() };
  }

  load({ data, clock }: Pick<Snapshot, 'data' | 'clock'>): void {
    const { clock: running, store, limits } = this.#context;
    running.clear();
    store.load(data);
    running.restore(clock);
    limits.clear();
    this.#resume();
  }

  /** The clock keeps its time. */
  loadSeed(): void {
    this.load({ data: this.#makeSeed(), clock: this.#context.clock.state() });
  }
}
