import { parseEvent } from '@screen-advertising/core';
import { type Selectable, sql } from 'kysely';
import { uuidOf } from '../base/ids.ts';
import { retryOnConflict } from '../base/statements.ts';
import { reasonErased } from '../base/stored-values.ts';
import type { ErasureTable } from '../base/tables.ts';
import type { RelayContext } from './context.ts';
import { newestEventPosition } from './positions.ts';
import { searchableValuesOf, searchHash, tooManyValuesHash } from './search.ts';

export interface ErasureResult {
  /** How many events. */
  readonly erased: number;
}

/** After so long without a batch, another process continues an erasure. */
const leaseMs = 15_000;

/**
 * Erases what the relay keeps of every event of a source, or of all sources, that has this ID of the
 * relay, or this value: body, search values, and responses of subscribers. Resolves when all of it is
 * gone. If the process dies before, the maintenance of another one continues.
 */
export async function eraseEvents(
  context: RelayContext,
  source: number | undefined,
  search: string,
): Promise<ErasureResult> {
  const all = context.db.selectFrom('source').select('number');
  const sources =
    source === undefined ? (await all.execute()).map(({ number }) => number) : [source];
  let erased = 0;
  for (const number of sources) erased += await eraseIn(context, number, search);
  return { erased };
}

async function eraseIn(context: RelayContext, source: number, search: string): Promise<number> {
  const { db, clock } = context;
  const id = uuidOf('evt', search.trim().toLowerCase());
  const end = await newestEventPosition(db, source);
  const only = id === undefined ? undefined : await positionOf(context, source, id);
  if (id !== undefined && only === undefined) return 0;
  // Only the hash of the value is stored.
  const { number } = await db
    .insertInto('erasure')
    .values({
      source_number: source,
      value_hash: id === undefined ? searchHash(source, search) : null,
      position: only === undefined ? '0' : String(BigInt(only) - 1n),
      until: only ?? end,
      worked_at: new Date(clock.now()),
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  if (id === undefined) await eraseRefusals(context, source, search);
  return erase(context, number);
}

/** Continues erasures that a process has left. */
export async function finishErasures(context: RelayContext, mustStop: () => boolean) {
  const { db, clock } = context;
  const left = await db
    .selectFrom('erasure')
    .select('number')
    .where('worked_at', '<', new Date(clock.now() - leaseMs))
    .execute();
  for (const { number } of left) await erase(context, number, mustStop);
}

async function erase(context: RelayContext, erasure: number, mustStop = () => false) {
  let erased = 0;
  while (!mustStop()) {
    const batch = await eraseBatch(context, erasure);
    erased += batch.erased;
    if (batch.isLast) break;
  }
  return erased;
}

async function positionOf({ db }: RelayContext, source: number, id: string) {
  const row = await db
    .selectFrom('event')
    .select('position')
    .where('id', '=', id)
    .where('source_number', '=', source)
    .executeTakeFirst();
  return row?.position;
}

/** Names of headers, which anyone can choose, are all that is kept of a refused delivery. */
async function eraseRefusals({ pool }: RelayContext, source: number, search: string) {
  await pool.query(
    `DELETE FROM refusal WHERE source_number = $1 AND strpos(lower(headers::text), lower($2)) > 0`,
    [source, search.trim()],
  );
}

type Erasure = Selectable<ErasureTable>;

/** Small enough that no ingest and no sender waits. */
const batchSize = 500;

interface Batch {
  /** Events. */
  readonly erased: number;
  readonly isLast: boolean;
}

/**
 * Erases the next events of an erasure, in two commits. The first waits for statements that write
 * responses to these events, which lock them, and after it no reader finds a body. Search values and the
 * place of the erasure change with the second, so that what a dead process has left is found again.
 */
async function eraseBatch(context: RelayContext, number: number): Promise<Batch> {
  const { db, clock } = context;
  const erasure = await db
    .selectFrom('erasure')
    .selectAll()
    .where('number', '=', number)
    .executeTakeFirst();
  if (!erasure) return { erased: 0, isLast: true };
  const { last, positions } = await nextEvents(context, erasure);
  const source = erasure.source_number;
  const chosen = sql<boolean>`source_number = ${source} AND position = ANY (${positions}::bigint[])`;
  const { numUpdatedRows: erased } = await db
    .updateTable('event')
    .set({ body: null })
    .where(chosen)
    .where('body', 'is not', null)
    .executeTakeFirst();
  await retryOnConflict(() =>
    db.transaction().execute(async (transaction) => {
      await transaction.updateTable('event').set({ search_hashes: [] }).where(chosen).execute();
      await transaction.updateTable('attempt').set({ response: null }).where(chosen).execute();
      await sql`
        WITH unsettled AS MATERIALIZED (
          SELECT source_number, position, subscription_number FROM delivery
          WHERE ${chosen} AND state IN ('pending', 'dead')
          ORDER BY position, subscription_number FOR NO KEY UPDATE
        )
        UPDATE delivery SET state = 'dead', reason = ${reasonErased}, next_at = NULL FROM unsettled
        WHERE (delivery.source_number, delivery.position, delivery.subscription_number)
          = (unsettled.source_number, unsettled.position, unsettled.subscription_number)`.execute(
        transaction,
      );
      await (last === undefined
        ? transaction.deleteFrom('erasure').where('number', '=', number).execute()
        : transaction
            .updateTable('erasure')
            .set({ position: last, worked_at: new Date(clock.now()) })
            .where('number', '=', number)
            .execute());
    }),
  );
  return { erased: Number(erased), isLast: last === undefined };
}

/** The index is asked alone: with an order and a limit, PostgreSQL would walk through all events. */
async function nextEvents({ db }: RelayContext, erasure: Erasure) {
  const { source_number: source, value_hash: value, position, until } = erasure;
  const cut = tooManyValuesHash(source);
  const isPossible =
    value === null ? sql`true` : sql`search_hashes && ARRAY[${value}, ${cut}]::bigint[]`;
  const { rows } = await sql<{ position: string; isFound: boolean }>`
    WITH possible AS MATERIALIZED (
      SELECT position, ${value}::bigint IS NULL OR search_hashes @> ARRAY[${value}::bigint] AS "isFound"
      FROM event
      WHERE source_number = ${source} AND position > ${position} AND position <= ${until}
        AND ${isPossible}
    )
    SELECT * FROM possible ORDER BY position LIMIT ${batchSize}`.execute(db);
  const positions: string[] = [];
  for (const one of rows) {
    if (one.isFound || (await holds({ db }, source, one.position, value)))
      positions.push(one.position);
  }
  return { positions, last: rows.length < batchSize ? undefined : rows.at(-1)?.position };
}

/** Whether an event with too many values for the index has this one, or was erased by now. */
async function holds(
  { db }: Pick<RelayContext, 'db'>,
  source: number,
  position: string,
  value: string | null,
): Promise<boolean> {
  const event = await db
    .selectFrom('event')
    .select('body')
    .where('source_number', '=', source)
    .where('position', '=', position)
    .executeTakeFirst();
  if (!event?.body) return true;
  return [...searchableValuesOf(parseEvent(event.body))].some(
    (text) => searchHash(source, text) === value,
  );
}
