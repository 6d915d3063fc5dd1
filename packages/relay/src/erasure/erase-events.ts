import type { RelayContext } from '../context.ts';
import { endOfLog } from '../database/log-position.ts';
import { uuidOf } from '../database/uuid.ts';
import { searchHash } from '../records/event-search.ts';
import { eraseBatch } from './erase-batch.ts';

export interface Erased {
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
): Promise<Erased> {
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
  const end = await endOfLog(db, source);
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

/** Of a refused delivery the relay keeps names of headers, which anyone can choose. */
async function eraseRefusals({ pool }: RelayContext, source: number, search: string) {
  await pool.query(
    `DELETE FROM refusal WHERE source_number = $1 AND strpos(lower(headers::text), lower($2)) > 0`,
    [source, search.trim()],
  );
}
