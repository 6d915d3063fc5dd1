import { sql } from 'kysely';
import type { RelayContext } from '../../context.ts';
import { sqlIf } from './sql-if.ts';

export interface TokenRow {
  readonly number: number;
  readonly name: string;
  readonly source: string;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
  readonly previous_until: Date | null;
}

/** Newest first. */
export async function listTokens(
  { db }: RelayContext,
  { after, limit }: { after: number | undefined; limit: number },
): Promise<readonly TokenRow[]> {
  const { rows } = await sql<TokenRow>`
    SELECT token.number, token.name, source.name AS source, token.created_at, token.revoked_at,
      token.previous_until
    FROM token JOIN source ON source.number = token.source_number
    ${sqlIf(after, (number) => sql`WHERE token.number < ${number}`)}
    ORDER BY token.number DESC LIMIT ${limit}`.execute(db);
  return rows;
}
