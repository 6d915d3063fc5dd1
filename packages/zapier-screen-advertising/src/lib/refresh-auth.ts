/*
 * Zapier fetches another token when a step throws its RefreshAuthError. Two things throw it here: a
 * 401 that came, and a token that was too old to send.
 */

/** `z.request` answers every 401 of a session with this error, whatever else it was told. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && error.name === 'RefreshAuthError';
}

/** Marks the error that is thrown before anything was sent. */
export function unsent(error: Error): Error {
  return Object.assign(error, { isUnsent: true });
}

/** Tells it from a 401 that came. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && 'isUnsent' in error;
}
