import type { RelayContext } from '../context.ts';
import type { TokenTable } from '../database/tables.ts';

/** Encrypted, as stored in the database. */
export type SealedSecrets = Pick<TokenTable, 'secret' | 'previous_secret' | 'previous_until'>;

/** The current secret, and the previous one while it is valid. */
export function openSecrets(
  { box, clock }: Pick<RelayContext, 'box' | 'clock'>,
  row: SealedSecrets,
  use: 'source' | 'token',
): string[] {
  const secrets = [box.open(row.secret, use)];
  if (row.previous_secret && row.previous_until && row.previous_until.getTime() > clock.now()) {
    secrets.push(box.open(row.previous_secret, use));
  }
  return secrets;
}
