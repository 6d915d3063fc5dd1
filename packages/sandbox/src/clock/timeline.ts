/** Time that runs along with a source, stands still, or jumps ahead. */
export class Timeline {
  readonly #source: () => number;
  #offsetMs = 0;
  #frozenAt: number | null = null;

  constructor(source: () => number, startAt: number) {
    this.#source = source;
    this.set(startAt);
  }

  now(): number {
    return this.#frozenAt ?? this.#source() + this.#offsetMs;
  }

  get frozenAt(): number | null {
    return this.#frozenAt;
  }

  /** How far it is ahead of its source while it runs; 0 otherwise. */
  get offsetMs(): number {
    return this.#frozenAt === null ? this.#offsetMs : 0;
  }

  set(moment: number): void {
    if (this.#frozenAt !== null) this.#frozenAt = moment;
    else this.#offsetMs = moment - this.#source();
  }

  freeze(): void {
    this.#frozenAt ??= this.now();
  }

  run(): void {
    if (this.#frozenAt === null) return;
    this.#offsetMs = this.#frozenAt - this.#source();
    this.#frozenAt = null;
  }
}
