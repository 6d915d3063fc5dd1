/*
 * Zapier fetches another token when a step throws its RefreshAuthError. Two things throw it here: a
 * 401 from the service, and a token that was too old to send.
 */

/** `z.request` throws this error for every 401 of a session, whatever its options. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && error.name === 'RefreshAuthError';
}

/** Marks the error that is thrown before anything was sent. */
export function unsent(error: Error): Error {
  return Object.assign(error, { isUnsent: true });
}

/** Distinguishes it from a 401 that the service sent. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && 'isUnsent' in error;
}
