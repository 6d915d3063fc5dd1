import type { HttpBindings } from '@hono/node-server';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import { hashToken } from '../secrets/new-token.ts';
import type { Caller, FindCaller } from './callers.ts';
import type { ApiLimits } from './limits.ts';

/** What the routes of the API find in their context. */
export type ApiEnv = { Variables: { caller: Caller }; Bindings: Partial<HttpBindings> };

/**
 * Identifies the caller by bearer token. Throws a 401 for a missing or invalid token, and a 429
 * after too many of them. Invalid tokens never block a valid one, since many clients may share an
 * address.
 */
export async function authenticate(
  findCaller: FindCaller,
  limits: ApiLimits,
  authorization: string | undefined,
  address: string,
): Promise<Caller> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const caller = token === undefined ? undefined : await findCaller(hashToken(token));
  if (caller) {
    limits.countRequest(caller.token);
    return caller;
  }
  limits.countFailure(address);
  const detail =
    token === undefined
      ? 'Send the token of the relay as "Authorization: Bearer <token>".'
      : 'This token is unknown or revoked. Ask the operator of the relay for a connector key.';
  throw new ProblemResponseError(401, 'unauthorized', detail);
}
