import { EventEmitter } from 'node:events';

interface Options {
  readonly url: string | undefined;
  readonly disableOfflineQueue?: boolean;
}

/** As much of the package `redis` as a store of tokens needs, and what it does without Redis. */
class Client extends EventEmitter {
  readonly #entries = new Map<string, string>();
  readonly #options: Options;
  #isConnected = true;

  constructor(options: Options) {
    super();
    this.#options = options;
  }

  async connect(): Promise<this> {
    return this;
  }

  async get(key: string): Promise<string | undefined> {
    await this.#queue();
    return this.#entries.get(key);
  }

  async set(key: string, text: string, { expiration }: { readonly expiration: object }) {
    await this.#queue();
    if (!('value' in expiration)) throw new Error('A token without an expiry is kept for ever.');
    this.#entries.set(key, text);
  }

  /** Here, it stands for a Redis that is killed. */
  destroy(): void {
    this.#isConnected = false;
    this.emit('error', new Error('Socket closed unexpectedly'));
  }

  async #queue(): Promise<void> {
    if (this.#isConnected) return;
    if (this.#options.disableOfflineQueue) throw new Error('The client is offline');
    await new Promise(() => undefined);
  }
}

export const createClient = (options: Options): Client => new Client(options);
