import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { Database } from '../database/connect.ts';
import type { SourceTable, TokenTable } from '../database/tables.ts';
import type { SecretBox } from './secret-box.ts';

/** Encrypted, as stored in the database. */
export type SealedSecrets = Pick<TokenTable, 'secret' | 'previous_secret' | 'previous_until'> &
  Partial<Pick<SourceTable, 'verified_at'>>;

interface Opening {
  readonly box: SecretBox;
  readonly clock: ScheduledClock;
}

/**
 * The current secret, and the previous one while it is valid: for a source, at least until the
 * current one has verified a delivery.
 */
export function openSecrets(
  { box, clock }: Opening,
  row: SealedSecrets,
  use: 'source' | 'token',
): string[] {
  const secrets = [box.open(row.secret, use)];
  const isValid = row.verified_at === null || Number(row.previous_until) > clock.now();
  if (row.previous_secret && isValid) secrets.push(box.open(row.previous_secret, use));
  return secrets;
}

/** Rejects with a RelayError unless the key decrypts every secret that is still in use. */
export async function checkSecretKey(context: Opening & Pick<Database, 'db'>): Promise<void> {
  const { db } = context;
  const sources = await db.selectFrom('source').selectAll().execute();
  for (const source of sources) openSecrets(context, source, 'source');
  const tokens = await db
    .selectFrom('token')
    .select(['secret', 'previous_secret', 'previous_until'])
    .where('revoked_at', 'is', null)
    .execute();
  for (const token of tokens) openSecrets(context, token, 'token');
}
