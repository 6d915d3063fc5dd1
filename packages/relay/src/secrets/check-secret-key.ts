import type { RelayContext } from '../context.ts';
import { openSecrets } from './open-secrets.ts';

/** Rejects with a RelayError unless the key decrypts every secret that is still in use. */
export async function checkSecretKey(
  context: Pick<RelayContext, 'db' | 'box' | 'clock'>,
): Promise<void> {
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
