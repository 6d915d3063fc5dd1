import { tokenEndpoint } from '@screen-advertising/core/contract';
import type { BeforeRequestMiddleware } from 'zapier-platform-core';
import { readConnection } from './connection.ts';

/** Marks a request that follows a redirect: it carries no token, whatever its address. */
export const redirected = { middlewareData: { isRedirected: true } };

/**
 * Adds the bearer token to requests below the base URL, and to no others. Zapier does not follow
 * redirects with it: it would send the token along to other ports and to subdomains. A token near
 * its expiry makes Zapier fetch another one before anything is sent.
 */
export const addBearer: BeforeRequestMiddleware = (request, z, bundle) => {
  const { baseUrl, credentials } = readConnection(bundle.authData);
  const isOurs = isBelow(request.url, baseUrl) && !request.middlewareData?.isRedirected;
  if (!isOurs || request.url === `${baseUrl}${tokenEndpoint.path}`) return request;
  const token = credentials.kind === 'api-key' ? credentials.key : usableToken(bundle.authData);
  if (!token) {
    throw unsent(new z.errors.RefreshAuthError('The access token is about to expire.'));
  }
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  return { ...request, headers, redirect: 'manual' };
};

/** Compares the address that is requested: one from a record may lead out of the base URL by `..`. */
function isBelow(url: string, baseUrl: string): boolean {
  return URL.canParse(url) && new URL(url).href.startsWith(`${baseUrl}/`);
}

function usableToken(authData: Record<string, string>): string | undefined {
  const isDue = Date.parse(authData.renew_at ?? '') <= Date.now();
  return isDue ? undefined : authData.access_token;
}

/**
 * The statuses that may mean that the access token expired, and not that the access or a scope is
 * missing. Empty for a token that is too young to have expired.
 */
export function renewsOn(authData: Record<string, string>): number[] {
  if (readConnection(authData).credentials.kind === 'api-key') return [];
  const doubtFrom = Date.parse(authData.doubt_from ?? '');
  if (doubtFrom > Date.now()) return [];
  return doubtFrom <= Date.now() && authData.is_early !== 'yes' ? [401, 403] : [401];
}

/*
 * Zapier fetches another token when a step throws its RefreshAuthError. Three things throw it here:
 * a 401 from the service, a 403 to an older token, and a token that was too old to send.
 */

/** `z.request` throws this error for every 401 of a session, whatever its options. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && error.name === 'RefreshAuthError';
}

/** Marks the error that is thrown before anything was sent. */
function unsent(error: Error): Error {
  return Object.assign(error, { isUnsent: true });
}

/** Distinguishes it from a 401 that the service sent. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && 'isUnsent' in error;
}
