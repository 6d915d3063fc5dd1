import { sql } from 'kysely';
import { RelayError } from '../base/relay-error.ts';
import { hashToken, makeToken, type NewToken } from '../base/secrets.ts';
import type { RelayContext } from '../log/context.ts';
import { findSource } from '../subscribe/records.ts';
import { defaultRights, readRights } from '../subscribe/rights.ts';
import { switchOffBatch } from '../subscribe/switch-off.ts';

/** Without control characters, which could forge what a terminal or a log shows. */
const namePattern = /^(?! )[^\p{C}\p{Zl}\p{Zp}]{1,200}(?<! )$/u;
/** Time to paste the new key everywhere. The previous token and secret work until then. */
const overlapMs = 24 * 3_600_000;
/** The relay subscribes with it itself, so its key is not used. It signs what goes to the operator's address. */
export const problemTokenName = 'relay problems';

interface Rotation {
  /**
   * The end of the previous token's day as the caller saw it (ISO 8601, or '' for none). If the token
   * was rotated since, this throws: a form that is submitted twice would otherwise end the token that
   * connectors still use.
   */
  readonly seen?: string;
  /** Ends the previous one at once, which switches its subscriptions off until the new one is used. */
  readonly now?: boolean;
}

/** Subscribers sign in with tokens. A token sees one source. */
export class Tokens {
  readonly #context: RelayContext;

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /**
   * Returns the token and secret. They cannot be read again. `rights` are `subscribe` (the
   * default), `read` or `manage`.
   */
  async create(
    source: string,
    name: string,
    rights: readonly string[] = defaultRights,
  ): Promise<NewToken> {
    const { db, box, clock } = this.#context;
    if (!namePattern.test(name)) {
      throw new RelayError(
        'conflict',
        'The name of a token must have 1 to 200 characters: letters, digits, punctuation, and spaces between them, such as "zapier".',
        { member: 'name' },
      );
    }
    const held = readRights(rights);
    const source_number = await findSource(this.#context, source);
    const made = makeToken();
    const hash = hashToken(made.token);
    const secret = box.seal(made.signingSecret, 'token');
    const created_at = new Date(clock.now());
    const added = await db
      .insertInto('token')
      .values({ source_number, name, rights: held, hash, secret, created_at })
      .onConflict((conflict) => conflict.columns(['source_number', 'name']).doNothing())
      .returning('number')
      .executeTakeFirst();
    if (added) return made;
    throw new RelayError(
      'conflict',
      `The source "${source}" already has a token "${name}". Rotate it, or choose another name.`,
      { member: 'name' },
    );
  }

  async list() {
    const { db, clock } = this.#context;
    const rows = await db
      .selectFrom('token')
      .innerJoin('source', 'source.number', 'token.source_number')
      .select(['token.name', 'source.name as source', 'token.rights'])
      .select(['token.created_at', 'token.used_at', 'token.revoked_at', 'token.previous_until'])
      .orderBy('token.number')
      .execute();
    return rows.map(({ previous_until: until, ...row }) => {
      const isTurning = row.revoked_at === null && Number(until) > clock.now();
      return { ...row, previous_until: isTurning ? until : null };
    });
  }

  /**
   * Creates a new token and secret. For a day the previous token still works, and deliveries carry
   * both signatures.
   */
  async rotate(source: string, name: string, rotation: Rotation = {}): Promise<NewToken> {
    const { seen, now = false } = rotation;
    const { db, box, clock } = this.#context;
    const made = makeToken();
    const { numUpdatedRows } = await db
      .updateTable('token')
      .set((row) => ({
        previous_hash: row.ref('hash'),
        previous_secret: row.ref('secret'),
        previous_until: new Date(clock.now() + (now ? 0 : overlapMs)),
        has_unused_key: name !== problemTokenName,
        used_at: null,
        hash: hashToken(made.token),
        secret: box.seal(made.signingSecret, 'token'),
      }))
      .where('number', '=', await findToken(this.#context, source, name))
      .where(
        sql<boolean>`(${seen === undefined} OR previous_until IS NOT DISTINCT FROM ${seen ? new Date(seen) : null})`,
      )
      .executeTakeFirst();
    if (now) {
      await switchOffBatch(this.#context, 'key_rotated');
      this.#context.changed();
    }
    if (numUpdatedRows > 0n) return made;
    throw new RelayError(
      'conflict',
      `The token "${name}" was already rotated, and its new key was shown then. Rotate it again only if that key is lost: the key before it would stop working.`,
    );
  }

  /**
   * Revokes the token at once: no delivery to its subscriptions starts any more. Switches off the
   * first thousand of them, and leaves the others to the maintenance.
   */
  async revoke(source: string, name: string): Promise<void> {
    const { db, clock, changed } = this.#context;
    await db
      .updateTable('token')
      .set({ revoked_at: new Date(clock.now()) })
      .where('number', '=', await findToken(this.#context, source, name))
      .execute();
    await switchOffBatch(this.#context, 'token_revoked');
    changed();
  }
}

async function findToken({ db }: RelayContext, source: string, name: string): Promise<number> {
  const row = await db
    .selectFrom('token')
    .innerJoin('source', 'source.number', 'token.source_number')
    .select('token.number')
    .where('source.name', '=', source)
    .where('token.name', '=', name)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (row) return row.number;
  throw new RelayError('not_found', `The source "${source}" has no active token "${name}".`);
}
