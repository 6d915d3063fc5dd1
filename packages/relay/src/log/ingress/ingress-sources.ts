import type { Selectable } from 'kysely';
import { soon } from '../../base/database.ts';
import { openSecrets } from '../../base/secrets.ts';
import type { SourceTable } from '../../base/tables.ts';
import type { RelayContext } from '../../context.ts';

export interface IngressSource extends Selectable<SourceTable> {
  /** The current one, and the previous one while it is still valid. */
  readonly secrets: readonly string[];
}

/** How long this process may miss a rotation by another one. */
const freshForMs = 1_000;
/** A relay has one for each access. With more, not every secret is tried for a refused delivery. */
const maxOthers = 20;

/**
 * Sources with decrypted secrets. Reads all of them at most once a second, so that requests to
 * addresses that do not exist cost no query each.
 */
export class IngressSources {
  readonly #context: RelayContext;
  #known:
    | { readonly at: number; readonly sources: Promise<Map<string, IngressSource>> }
    | undefined;

  constructor(context: RelayContext) {
    this.#context = context;
  }

  async find(name: string): Promise<IngressSource | undefined> {
    return (await this.#all()).get(name);
  }

  async othersThan(source: IngressSource): Promise<readonly IngressSource[]> {
    const all = [...(await this.#all()).values()];
    return all.filter(({ number }) => number !== source.number).slice(0, maxOthers);
  }

  #all(): Promise<Map<string, IngressSource>> {
    const now = this.#context.clock.now();
    if (!this.#known || Math.abs(now - this.#known.at) >= freshForMs) {
      const sources = this.#read();
      this.#known = { at: now, sources };
      // The next request reads them.
      sources.catch(() => {
        if (this.#known?.sources === sources) this.#known = undefined;
      });
    }
    return this.#known.sources;
  }

  async #read(): Promise<Map<string, IngressSource>> {
    const { rows } = await this.#context.pool.query<Selectable<SourceTable>>({
      ...{ text: 'SELECT * FROM source ORDER BY number', ...soon },
    });
    return new Map(
      rows.map((row) => [row.name, { ...row, secrets: openSecrets(this.#context, row, 'source') }]),
    );
  }
}
