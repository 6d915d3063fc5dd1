import type { Pool } from 'pg';
import type { RelayContext } from '../context.ts';
import { Batches } from '../database/batches.ts';
import type { Right } from '../database/stored-values.ts';

/** Who sends a request: a valid token, and the source it sees. */
export interface Caller {
  readonly token: number;
  readonly name: string;
  readonly source: number;
  readonly sourceName: string;
  readonly rights: readonly Right[];
}

export type FindCaller = (hash: Buffer) => Promise<Caller | undefined>;

const mostTokens = 500;

const statement = `
SELECT given.nth::integer, token.number AS token, token.name, token.rights,
  source.number AS source, source.name AS "sourceName",
  token.has_unused_key AND token.hash = given.hash AS "isFirstUse"
FROM unnest($1::bytea[]) WITH ORDINALITY AS given (hash, nth)
CROSS JOIN LATERAL (
  SELECT * FROM token WHERE hash = given.hash
  UNION ALL
  SELECT * FROM token WHERE previous_hash = given.hash AND previous_until > $2
) AS token
JOIN source ON source.number = token.source_number
WHERE token.revoked_at IS NULL`;

/**
 * Finds the callers of requests by the hashes of their tokens. All that arrive during a statement
 * share the next one: a flood of invalid tokens occupies one connection, and a valid token among
 * them waits for two statements at most.
 */
export function findCallers({ pool, clock }: Pick<RelayContext, 'pool' | 'clock'>): FindCaller {
  const batches = new Batches(
    (hashes: readonly Buffer[]) => read(pool, hashes, new Date(clock.now())),
    { most: mostTokens },
  );
  return (hash) => batches.add(hash);
}

async function read(
  pool: Pool,
  hashes: readonly Buffer[],
  now: Date,
): Promise<(Caller | undefined)[]> {
  const { rows } = await pool.query<Caller & { nth: number; isFirstUse: boolean }>({
    name: 'find-callers',
    text: statement,
    values: [hashes, now],
  });
  const callers = hashes.map((): Caller | undefined => undefined);
  const used = [];
  for (const { nth, isFirstUse, ...caller } of rows) {
    callers[nth - 1] = caller;
    if (isFirstUse) used.push(caller.token);
  }
  if (used.length > 0) {
    await pool.query('UPDATE token SET has_unused_key = false WHERE number = ANY ($1::integer[])', [
      used,
    ]);
  }
  return callers;
}
