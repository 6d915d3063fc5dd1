import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { RelayError } from '../base/relay-error.ts';
import { decryptSecrets } from '../base/secrets.ts';
import { untimedSignatureNote } from '../base/stored-values.ts';
import type { SourceTable } from '../base/tables.ts';
import type { RelayContext } from '../log/context.ts';
import { findSource } from '../subscribe/records.ts';
import { followProblemUrl } from './problems.ts';
import { problemTokenName } from './tokens.ts';

export interface RotatedSource {
  /** False if the source has this secret already. */
  readonly changed: boolean;
  /** Until when the secret before works, or until the new one is used if that is later. Null for none. */
  readonly previous_until: string | null;
}

/** Tables that refer to a source, in the order in which their rows can be deleted. */
const ofSource = ['refusal', 'erasure', 'pruned', 'seen_body', 'subscription', 'token'] as const;

const maxRefused = 100;
const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** The Screen Advertising team needs time to switch to a new secret. */
const overlapMs = 7 * 24 * 3_600_000;

/** People see these columns. A source that awaits its secret has a random one, and rejects every event. */
const shown = ['name', 'created_at', 'awaits_secret', 'scheme', 'scheme_since'] as const;

const ofPrevious = ['previous_secret', 'previous_until', 'verified_at'] as const;
const unusedSecretNote =
  'The previous secret works until a delivery is signed with the new one, even after previous_until.';

export type RefusedDelivery = Awaited<ReturnType<Sources['refused']>>[number];

/** One source per access: where the service delivers, and the secret it signs with. */
export class Sources {
  readonly #context: RelayContext;

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /**
   * Without the signing secret of the access, which often comes only after the source's address was
   * registered, the source has a random one, so that events cannot be forged.
   */
  async add(name: string, signingSecret?: string) {
    const { db, box, clock, problemUrl } = this.#context;
    if (!namePattern.test(name)) {
      throw new RelayError(
        'conflict',
        `The name of a source must have up to 63 lowercase letters, digits, and hyphens, such as "main", not "${name}".`,
        { member: 'name' },
      );
    }
    const created_at = new Date(clock.now());
    const awaits_secret = signingSecret === undefined;
    const secret = awaits_secret ? randomBytes(32).toString('hex') : secretOf(signingSecret);
    const added = await db
      .insertInto('source')
      .values({ name, secret: box.seal(secret, 'source'), awaits_secret, created_at })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning(shown)
      .executeTakeFirst();
    if (!added) {
      throw new RelayError(
        'conflict',
        `The source "${name}" already exists. Rotate its secret, or choose another name.`,
        { member: 'name' },
      );
    }
    // At its start, the relay has done this for the sources that it had.
    if (problemUrl !== undefined) await followProblemUrl(this.#context);
    return { ...added, note: null };
  }

  /** `previous_until` is that of a secret that still works. */
  async list() {
    const { db, clock } = this.#context;
    const query = db.selectFrom('source').select([...shown, ...ofPrevious]);
    const rows = await query.orderBy('number').execute();
    return rows.map(({ previous_secret, previous_until: until, verified_at, ...row }) => {
      const isUnused = previous_secret !== null && verified_at === null;
      const isTurning = previous_secret !== null && (isUnused || Number(until) > clock.now());
      const notes = [untimedSignatureNote(row.scheme), isUnused ? unusedSecretNote : undefined];
      return {
        ...row,
        previous_until: isTurning ? until : null,
        note: notes.filter((note) => note !== undefined).join(' ') || null,
      };
    });
  }

  /**
   * Sets a new signing secret. The one that verified a delivery last stays valid for seven more days
   * and until the new one has verified one, however often the secret is rotated meanwhile.
   */
  rotate(name: string, signingSecret: string): Promise<RotatedSource> {
    const { db, box, clock } = this.#context;
    return db.transaction().execute(async (transaction) => {
      const { rows } = await sql<Selectable<SourceTable>>`
        SELECT * FROM source WHERE name = ${name} FOR UPDATE`.execute(transaction);
      const [row] = rows;
      if (!row) throw new RelayError('not_found', `There is no source "${name}".`);
      const secret = secretOf(signingSecret);
      const [current, previous] = decryptSecrets({ box, clock }, row, 'source');
      if (secret === current) return { changed: false, previous_until: null };
      const isBack = secret === previous;
      const isPreviousInUse =
        previous !== undefined &&
        !isBack &&
        (row.verified_at === null || Number(row.previous_verified_at) > Number(row.verified_at));
      const kept = isPreviousInUse
        ? { secret: row.previous_secret, at: row.previous_verified_at }
        : row.awaits_secret || (isBack && row.verified_at === null)
          ? { secret: null, at: null }
          : { secret: row.secret, at: row.verified_at };
      const until = kept.secret && new Date(clock.now() + overlapMs);
      await transaction
        .updateTable('source')
        .set({
          secret: box.seal(secret, 'source'),
          verified_at: isBack ? row.previous_verified_at : null,
          previous_secret: kept.secret,
          previous_verified_at: kept.at,
          previous_until: until,
          awaits_secret: false,
        })
        .where('number', '=', row.number)
        .execute();
      return { changed: true, previous_until: until?.toISOString() ?? null };
    });
  }

  /**
   * Deletes a source that nothing needs any more: one without events, active tokens, and so without
   * subscriptions that are on. Its address then rejects every event.
   */
  async remove(name: string): Promise<void> {
    const { db } = this.#context;
    const number = await findSource(this.#context, name);
    await db.transaction().execute(async (transaction) => {
      await sql`SELECT FROM source WHERE number = ${number} FOR UPDATE`.execute(transaction);
      const { rows } = await sql<{ events: boolean; tokens: string[] }>`
        SELECT EXISTS (SELECT FROM event WHERE source_number = ${number}) AS events,
          ARRAY(SELECT name FROM token WHERE source_number = ${number} AND revoked_at IS NULL
            AND name <> ${problemTokenName} ORDER BY number LIMIT 5) AS tokens`.execute(
        transaction,
      );
      const [{ events, tokens } = { events: false, tokens: [] }] = rows;
      if (tokens.length > 0) {
        throw new RelayError(
          'conflict',
          `The source "${name}" has active tokens: ${tokens.join(', ')}. Revoke them first, which switches their subscriptions off.`,
        );
      }
      if (events) {
        throw new RelayError(
          'conflict',
          `The source "${name}" still has events. Once they are pruned, after RELAY_RETENTION_DAYS or with "prune --older-than", it can be removed.`,
        );
      }
      for (const table of ofSource) {
        await transaction.deleteFrom(table).where('source_number', '=', number).execute();
      }
      await transaction.deleteFrom('source').where('number', '=', number).execute();
    });
  }

  /** The latest refused deliveries of a source, newest first; without a name, of all sources. */
  async refused(name?: string) {
    if (name !== undefined) await findSource(this.#context, name);
    return this.#context.db
      .selectFrom('refusal')
      .innerJoin('source', 'source.number', 'refusal.source_number')
      .select(['source.name as source', 'at', 'reason', 'bytes', 'headers'])
      .select(['is_readable as is_signature_readable', 'fits_source'])
      .select(sql<number | null>`age_seconds::float8`.as('age_seconds'))
      .$if(name !== undefined, (query) => query.where('source.name', '=', name ?? ''))
      .orderBy('at', 'desc')
      .limit(maxRefused)
      .execute();
  }
}

/** Values that people paste by mistake; see `webhookRegistration` in the assumptions. */
const notSecrets = [
  [/^$/, 'is empty'],
  [/\p{Cc}/u, 'has a line break or another control character'],
  [/^rly_[\w-]{43}(?:\.|$)/, 'is a connector key of the relay, which belongs in n8n or Zapier'],
  [/^https?:\/\//i, 'is a web address'],
  [/^signing secret\s*:/i, 'begins with its label'],
  [/\s/, 'has a space'],
  [/^.{1,7}$/, 'is shorter than 8 characters'],
] as const;

function secretOf(text: string): string {
  const secret = text.trim();
  const [, fault] = notSecrets.find(([pattern]) => pattern.test(secret)) ?? [];
  if (fault === undefined) return secret;
  throw new RelayError(
    'conflict',
    `The signing secret of the source ${fault}. Paste the secret alone, as the Screen Advertising team sent it. If that is what it sent, ask for another one.`,
    { member: 'secret' },
  );
}
