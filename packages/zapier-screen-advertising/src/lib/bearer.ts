import { tokenEndpoint } from '@screen-advertising/core';
import type { BeforeRequestMiddleware } from 'zapier-platform-core';
import { readConnection } from './connection.ts';
import { unsent } from './refresh-auth.ts';

/**
 * Adds the bearer token to requests below the base URL, and to no others. A token near its end
 * makes Zapier fetch another one before anything is sent.
 */
export const addBearer: BeforeRequestMiddleware = (request, z, bundle) => {
  const { baseUrl, credentials } = readConnection(bundle.authData);
  const isOurs = request.url.startsWith(`${baseUrl}/`);
  if (!isOurs || request.url === `${baseUrl}${tokenEndpoint.path}`) return request;
  const token = credentials.kind === 'api-key' ? credentials.key : usableToken(bundle.authData);
  if (!token) {
    throw unsent(new z.errors.RefreshAuthError('The access token is about to end.'));
  }
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
};

function usableToken(authData: Record<string, string>): string | undefined {
  const isDue = Date.parse(authData.renew_at ?? '') <= Date.now();
  return isDue ? undefined : authData.access_token;
}
