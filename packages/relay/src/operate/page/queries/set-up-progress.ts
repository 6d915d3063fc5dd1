import { sql } from 'kysely';
import { sqlIf } from '../../../base/statements.ts';
import type { RelayContext } from '../../../log/context.ts';
import { isSubscribed } from '../../../log/wants.ts';

export interface SetUpProgress {
  readonly source: string;
  readonly source_number: number;
  readonly awaits_secret: boolean;
  readonly is_verified: boolean;
  /** Names of the tokens that work, oldest first. */
  readonly tokens: readonly string[];
}

/** Of the named source, or else of the first that still awaits its secret, or else of the first. */
export async function setUpProgress(
  { db }: RelayContext,
  source: string | undefined,
): Promise<SetUpProgress | undefined> {
  const { rows } = await sql<SetUpProgress>`
    SELECT source.name AS source, source.number AS source_number, source.awaits_secret,
      coalesce(source.verified_at, source.previous_verified_at) IS NOT NULL AS is_verified,
      ARRAY(
        SELECT token.name FROM token
        WHERE token.source_number = source.number AND token.revoked_at IS NULL
        ORDER BY token.number LIMIT 20
      ) AS tokens
    FROM source ${sqlIf(source, (name) => sql`WHERE source.name = ${name}`)}
    ORDER BY source.awaits_secret DESC, source.number LIMIT 1`.execute(db);
  return rows[0];
}

/** Whether anything subscribed or arrived: the set-up has done its work. */
export async function isInUse({ db }: RelayContext): Promise<boolean> {
  const { rows } = await sql<{ readonly is_in_use: boolean }>`
    SELECT EXISTS (SELECT FROM subscription WHERE ${isSubscribed})
      OR EXISTS (SELECT FROM event) AS is_in_use`.execute(db);
  return rows[0]?.is_in_use === true;
}
