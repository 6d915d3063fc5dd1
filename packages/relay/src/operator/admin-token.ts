import { timingSafeEqual } from 'node:crypto';
import type { RelayOptions } from '../options.ts';
import { RelayError } from '../relay-error.ts';
import { adminTokenFromFile } from '../secrets/key-file.ts';
import { hashToken } from '../secrets/new-token.ts';

const shortest = 24;

/** The given token, else the one in the data folder, if the relay uses one. */
export async function adminTokenOf({
  adminToken,
  dataDir,
  databaseUrl,
  secretKey,
}: RelayOptions): Promise<string | undefined> {
  if (adminToken !== undefined) {
    if (adminToken.length >= shortest) return adminToken;
    throw new RelayError(
      'configuration',
      `RELAY_ADMIN_TOKEN must have at least ${shortest} characters, because it opens the operator's page. Generate one with \`openssl rand -base64 32\`.`,
    );
  }
  const usesDataDir = databaseUrl === undefined || secretKey === undefined;
  return dataDir !== undefined && usesDataDir ? adminTokenFromFile(dataDir) : undefined;
}

/** Compares in constant time. */
export function isAdminToken(given: string, adminToken: string | undefined): boolean {
  return adminToken !== undefined && timingSafeEqual(hashToken(given), hashToken(adminToken));
}
