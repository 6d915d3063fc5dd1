import type { HttpBindings } from '@hono/node-server';
import type { RelayContext } from '../context.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import { hashToken } from '../secrets/new-token.ts';
import type { ApiLimits } from './limits.ts';

interface Caller {
  readonly token: number;
  readonly name: string;
  readonly source: number;
  readonly sourceName: string;
}

/** What the routes of the API find in their context. */
export type ApiEnv = { Variables: { caller: Caller }; Bindings: Partial<HttpBindings> };

/**
 * Identifies the caller by bearer token. Throws a 401 for a missing or invalid token, and a 429
 * after too many of them.
 */
export async function authenticate(
  { db, clock }: RelayContext,
  limits: ApiLimits,
  authorization: string | undefined,
  address: string,
): Promise<Caller> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const hash = hashToken(token ?? '');
  const key = hash.toString('base64');
  limits.checkAddress(address, key);
  if (token === undefined) {
    limits.countFailure(address, key);
    throw new ProblemResponseError(
      401,
      'unauthorized',
      'Send the token of the relay as "Authorization: Bearer <token>".',
    );
  }
  const row = await db
    .selectFrom('token')
    .innerJoin('source', 'source.number', 'token.source_number')
    .select(['token.number', 'token.name', 'source.number as source', 'source.name as sourceName'])
    .where('token.revoked_at', 'is', null)
    .where((is) =>
      is.or([
        is('token.hash', '=', hash),
        is.and([
          is('token.previous_hash', '=', hash),
          is('token.previous_until', '>', new Date(clock.now())),
        ]),
      ]),
    )
    .executeTakeFirst();
  if (!row) {
    limits.countFailure(address, key);
    throw new ProblemResponseError(
      401,
      'unauthorized',
      'This token is unknown or revoked. Ask the operator of the relay for a connector key.',
    );
  }
  limits.countRequest(key);
  return { token: row.number, name: row.name, source: row.source, sourceName: row.sourceName };
}
