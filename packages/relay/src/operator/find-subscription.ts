import { sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { uuidOf } from '../database/uuid.ts';

const most = 200;

/** The numbers of the subscriptions with this ID, target, or name, in any case. */
export async function findSubscriptions(
  { db }: RelayContext,
  text: string,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('subscription')
    .select('number')
    .where('deleted_at', 'is', null)
    .where(({ eb, or }) =>
      or([
        eb('id', '=', uuidOf('sub', text) ?? null),
        eb('target_url', '=', text),
        sql<boolean>`lower(name) = lower(${text})`,
      ]),
    )
    .limit(most)
    .execute();
  return rows.map(({ number }) => number);
}

/** To suggest in a filter: the names of the newest subscriptions. */
export async function subscriptionNames({ db }: RelayContext): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('subscription')
    .select('name')
    .where('deleted_at', 'is', null)
    .where('name', 'is not', null)
    .orderBy('number', 'desc')
    .limit(most)
    .execute();
  return [...new Set(rows.flatMap(({ name }) => name ?? []))];
}
