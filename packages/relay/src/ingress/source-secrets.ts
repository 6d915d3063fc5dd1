import type { RelayContext } from '../context.ts';
import { openSecrets } from '../secrets/open-secrets.ts';

export interface IngressSource {
  readonly number: number;
  /** The current one, and the previous one while it is still valid. */
  readonly secrets: readonly string[];
}

/** How long this process may miss a rotation by another one. */
const freshForMs = 1_000;

/** Sources with decrypted secrets, read from the database at most once a second. */
export class SourceSecrets {
  readonly #context: RelayContext;
  readonly #known = new Map<string, { source: IngressSource; readAt: number }>();

  constructor(context: RelayContext) {
    this.#context = context;
  }

  async find(name: string): Promise<IngressSource | undefined> {
    const known = this.#known.get(name);
    if (known && performance.now() - known.readAt < freshForMs) return known.source;
    const source = await this.#read(name);
    if (source) this.#known.set(name, { source, readAt: performance.now() });
    else this.#known.delete(name);
    return source;
  }

  async #read(name: string): Promise<IngressSource | undefined> {
    const row = await this.#context.db
      .selectFrom('source')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst();
    if (!row) return undefined;
    return { number: row.number, secrets: openSecrets(this.#context, row, 'source') };
  }
}
