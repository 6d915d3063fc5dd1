import type { HttpBindings } from '@hono/node-server';
import type { ScheduledClock } from '@screen-advertising/server-kit';
import { ProblemResponseError } from '../base/http.ts';
import { RateLimit } from '../base/rate-limit.ts';
import { hashToken } from '../base/secrets.ts';
import { BatchedStatement } from '../base/statements.ts';
import type { Right } from '../base/stored-values.ts';
import type { RelayContext } from '../log/context.ts';
import { switchOnAfterKeyRotation } from '../subscribe/switch-off.ts';

/** Who sends a request: a valid token, and the source it sees. */
export interface Caller {
  readonly token: number;
  readonly name: string;
  readonly source: number;
  readonly sourceName: string;
  readonly rights: readonly Right[];
}

type KeyContext = Pick<RelayContext, 'db' | 'pool' | 'clock' | 'changed' | 'report'>;

type FindCaller = (hash: Buffer) => Promise<Caller | undefined>;

const maxTokens = 500;

const statement = `
SELECT given.nth::integer, token.number AS token, token.name, token.rights,
  source.number AS source, source.name AS "sourceName",
  token.has_unused_key AND token.hash = given.hash AS "isFirstUse",
  token.hash = given.hash AND (token.used_at IS NULL OR token.used_at < $3) AS "isNewUse"
FROM unnest($1::bytea[]) WITH ORDINALITY AS given (hash, nth)
CROSS JOIN LATERAL (
  SELECT * FROM token WHERE hash = given.hash
  UNION ALL
  SELECT * FROM token WHERE previous_hash = given.hash AND previous_until > $2
) AS token
JOIN source ON source.number = token.source_number
WHERE token.revoked_at IS NULL`;

/**
 * Finds the callers of requests by the hashes of their tokens. All that arrive during a statement
 * share the next one: a flood of invalid tokens occupies one connection, and a valid token among
 * them waits for two statements at most.
 */
export function createCallerFinder(context: KeyContext): FindCaller {
  const batches = new BatchedStatement(
    (hashes: readonly Buffer[]) => readCallers(context, hashes),
    {
      most: maxTokens,
    },
  );
  return (hash) => batches.add(hash);
}

/** The first use of a new key switches its subscriptions on; any use is noted. */
async function readCallers(
  context: KeyContext,
  hashes: readonly Buffer[],
): Promise<(Caller | undefined)[]> {
  const now = context.clock.now();
  type Row = Caller & { nth: number; isFirstUse: boolean; isNewUse: boolean };
  const { rows } = await context.pool.query<Row>({
    name: 'find-callers',
    text: statement,
    values: [hashes, new Date(now), new Date(now - useEveryMs)],
  });
  const callers = hashes.map((): Caller | undefined => undefined);
  const used = new Set<number>();
  const first: Caller[] = [];
  for (const { nth, isFirstUse, isNewUse, ...caller } of rows) {
    callers[nth - 1] = caller;
    if (isNewUse) used.add(caller.token);
    if (isFirstUse) first.push(caller);
  }
  if (first.length > 0) await switchOnAfterKeyRotation(context, first);
  await noteUse(context, used, now);
  return callers;
}

/**
 * Operators look at the last use of a key before they revoke it; a request costs no more for it. After a
 * rotation, only the new key counts.
 */
const useEveryMs = 60_000;

/**
 * One at a time, so that two processes never wait for each other. A database that takes no writes still
 * serves requests that read.
 */
async function noteUse(
  { db, report }: KeyContext,
  tokens: Iterable<number>,
  now: number,
): Promise<void> {
  for (const token of tokens) {
    await db
      .updateTable('token')
      .set({ used_at: new Date(now) })
      .where('number', '=', token)
      .execute()
      .catch(report);
  }
}

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
  throw new ProblemResponseError('unauthorized', detail);
}

/** Requests per token in a minute. Stops a loop that runs wild; no connector gets near it. */
const requestsOfToken = 6_000;
/** Requests per address with an invalid token in a minute. */
const failuresOfAddress = 60;

/** Requests per minute that one process accepts. Both throw a 429 for one too many. */
export class ApiLimits {
  readonly #clock: ScheduledClock;
  readonly #requests = new RateLimit<number>(requestsOfToken, 60_000);
  readonly #failures = new RateLimit<string>(failuresOfAddress, 60_000);

  constructor(clock: ScheduledClock) {
    this.#clock = clock;
  }

  /** Counts an invalid token. */
  countFailure(address: string): void {
    const waitMs = this.#failures.count(address, this.#clock.now());
    const what = `This address sent more than ${failuresOfAddress} requests without a valid token`;
    if (waitMs > 0) throw tooMany(what, waitMs);
  }

  countRequest(token: number): void {
    const waitMs = this.#requests.count(token, this.#clock.now());
    if (waitMs > 0) throw tooMany(`This token sent more than ${requestsOfToken} requests`, waitMs);
  }
}

function tooMany(what: string, waitMs: number): ProblemResponseError {
  const seconds = Math.ceil(waitMs / 1000);
  const headers = { 'retry-after': String(seconds) };
  const detail = `${what} in a minute. Retry in ${seconds} s.`;
  return new ProblemResponseError('rate-limited', detail, { headers });
}
