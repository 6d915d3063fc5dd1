import type { RelayClock } from '../clock/relay-clock.ts';
import type { Database } from '../database/connect.ts';
import { openSecrets } from './open-secrets.ts';
import type { SecretBox } from './secret-box.ts';

/** Rejects with a RelayError unless the key decrypts every secret that is still in use. */
export async function checkSecretKey(
  context: Pick<Database, 'db'> & { readonly box: SecretBox; readonly clock: RelayClock },
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
