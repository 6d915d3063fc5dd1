import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** A token as n8n stores it: with the access that it came from. */
export function storedToken(
  { baseUrl, clientId, clientSecret }: ICredentialDataDecryptedObject,
  token: string,
): string {
  const access = JSON.stringify([baseUrl, clientId, clientSecret]);
  return `${createHash('sha256').update(access).digest('hex')} ${token}`;
}
