import type { RelayContext } from '../context.ts';

export interface IngressSource {
  readonly number: number;
  /** The current one, and the previous one while it is accepted still. */
  readonly secrets: readonly string[];
}

/** How long a rotation by another process may go unnoticed. */
const freshForMs = 1_000;

/** The sources with their secrets in plain, read from the database at most once a second. */
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
    const { db, box, clock } = this.#context;
    const row = await db
      .selectFrom('source')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst();
    if (!row) return undefined;
    const secrets = [box.open(row.secret, 'source')];
    if (row.previous_secret && row.previous_until && row.previous_until.getTime() > clock.now()) {
      secrets.push(box.open(row.previous_secret, 'source'));
    }
    return { number: row.number, secrets };
  }
}
