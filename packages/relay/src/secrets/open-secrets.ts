import type { RelayClock } from '../clock/relay-clock.ts';
import type { TokenTable } from '../database/tables.ts';
import type { SecretBox } from './secret-box.ts';

/** Encrypted, as stored in the database. */
export type SealedSecrets = Pick<TokenTable, 'secret' | 'previous_secret' | 'previous_until'>;

/** The current secret, and the previous one while it is valid. */
export function openSecrets(
  { box, clock }: { readonly box: SecretBox; readonly clock: RelayClock },
  row: SealedSecrets,
  use: 'source' | 'token',
): string[] {
  const secrets = [box.open(row.secret, use)];
  if (row.previous_secret && row.previous_until && row.previous_until.getTime() > clock.now()) {
    secrets.push(box.open(row.previous_secret, use));
  }
  return secrets;
}
