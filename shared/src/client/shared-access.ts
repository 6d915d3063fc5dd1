import { type Clock, oncePerProcess } from '../clock.ts';
import type { Auth, FixedTokenAuth } from './auth.ts';
import { ClientRateLimiter, type ClientRateLimitWithDefaults } from './rate-limit.ts';
import type { TokenSource } from './tokens.ts';
import { version } from './version.ts';

/** Shared by all clients of one access in a process, since the service counts them together. */
export interface SharedAccess {
  readonly auth: Auth | FixedTokenAuth;
  /** Undefined when the limit is enforced elsewhere. */
  readonly limiter: ClientRateLimiter | undefined;
  readonly tokens: TokenSource | undefined;
}

/** By clock, of which a program has one; by version, since their fields differ. Clients of one access may have different limits. */
const limiters = oncePerProcess(
  `limits ${version}`,
  new WeakMap<Clock, LruMap<ClientRateLimiter>>(),
);
/** By store or, without one, by clock: a client must use the store it was given. */
const sources = oncePerProcess(`tokens ${version}`, new WeakMap<object, LruMap<TokenSource>>());

/**
 * The access of these credentials. Its state is the same for all clients of a clock: a new
 * client continues with the token and the rate limit of an earlier one.
 */
export function sharedAccess(
  clock: Clock,
  baseUrl: string,
  auth: Auth | FixedTokenAuth,
  limit: ClientRateLimitWithDefaults | undefined,
): SharedAccess {
  const access = [baseUrl, ...identityOf(auth)];
  const limiter =
    limit &&
    mapOf(limiters, clock).get(
      JSON.stringify([...access, limit]),
      () => new ClientRateLimiter(limit, clock),
    );
  if (auth.kind !== 'client-credentials') return { auth, limiter, tokens: undefined };
  const tokens = mapOf(sources, auth.store ?? clock).get(JSON.stringify(access), () =>
    auth.createTokenSource(baseUrl, clock),
  );
  return { auth, limiter, tokens };
}

function mapOf<Owner extends object, Value>(
  maps: WeakMap<Owner, LruMap<Value>>,
  owner: Owner,
): LruMap<Value> {
  const map = maps.get(owner) ?? new LruMap<Value>();
  maps.set(owner, map);
  return map;
}

/** Identifies an access, by its secret too: a wrong one must not share the token of the right one. */
function identityOf(auth: Auth | FixedTokenAuth): readonly unknown[] {
  if (auth.kind === 'platform') return [auth.kind, auth.accessKey];
  if (auth.kind !== 'client-credentials') return [auth.kind, auth.key];
  return [auth.kind, auth.clientId, auth.clientSecret];
}

/** Far more than one process has of anything that it keeps in one. */
const usualMax = 1000;

/**
 * What a process remembers about accesses and triggers. It may run for months while credentials
 * change, so the least recently used entry is dropped.
 */
export class LruMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #max: number;

  constructor(max: number = usualMax) {
    this.#max = max;
  }

  /** Returns the entry under the key, and creates it if it is missing. */
  get(key: string, make: () => Value): Value {
    const value = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest);
    return value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
