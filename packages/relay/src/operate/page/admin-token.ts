import { join } from 'node:path';
import { RelayError } from '../../base/relay-error.ts';
import { adminTokenFromFile } from '../../base/secrets.ts';
import type { RelayOptions } from '../../options.ts';

/** Too long to guess, so that guesses need no limit, which others could use up. */
const shortest = 24;

/** The given token, else the one in the data folder, if the relay uses one. */
export async function adminTokenOf({
  adminToken,
  dataDir,
  databaseUrl,
  secretKey,
}: RelayOptions): Promise<string | undefined> {
  if (adminToken !== undefined) return longEnough(adminToken, 'RELAY_ADMIN_TOKEN', '');
  const usesDataDir = databaseUrl === undefined || secretKey === undefined;
  if (dataDir === undefined || !usesDataDir) return undefined;
  const path = join(dataDir, 'admin.token');
  const whatElse = ', or delete the file, and the next start writes a new one';
  return longEnough(await adminTokenFromFile(dataDir), `The token in ${path}`, whatElse);
}

function longEnough(token: string, name: string, whatElse: string): string {
  if (token.length >= shortest) return token;
  throw new RelayError(
    'configuration',
    `${name} must have at least ${shortest} characters, because it opens the operator's page. Generate one with \`openssl rand -base64 32\`${whatElse}.`,
  );
}
