/** Limits how many requests run at once. The others wait their turn, first in, first out. */
export class RequestQueue {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(maxConcurrent: number) {
    this.#free = maxConcurrent;
  }

  /** False when too many requests are running: then `wait`. */
  enter(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Resolves when it is the caller's turn; rejects with the signal's reason. */
  wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = (): void => {
        this.#waiting.delete(start);
        reject(signal?.reason);
      };
      this.#waiting.add(start);
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Lets the next request start. */
  leave(): void {
    for (const start of this.#waiting) {
      this.#waiting.delete(start);
      start();
      return;
    }
    this.#free += 1;
  }
}
