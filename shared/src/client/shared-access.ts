import type { Clock } from '../clock.ts';
import type { Auth, ConnectorKeyAuth, TokenStore } from './auth.ts';
import type { ExactLimit } from './fair-share.ts';
import { LruMap } from './lru-map.ts';
import { RateLimiter } from './rate-limit.ts';
import { TokenSource } from './token-source.ts';

/** What all clients of one access in a process share, since the service counts them together. */
export interface SharedAccess {
  readonly auth: Auth | ConnectorKeyAuth;
  /** Undefined when the limit is enforced elsewhere. */
  readonly limiter: RateLimiter | undefined;
  readonly tokens: TokenSource | undefined;
}

interface AccessState {
  /** By limit: clients of one access may have different ones. */
  readonly limiters: LruMap<RateLimiter>;
  readonly tokens: TokenSource | undefined;
}

/** By clock, of which a program has one. */
const registries = new WeakMap<Clock, LruMap<AccessState>>();

/**
 * The access of these credentials. Its state is the same for all clients of a clock: a new
 * client continues with the token and the rate limit of an earlier one.
 */
export function sharedAccess(
  clock: Clock,
  baseUrl: string,
  auth: Auth | ConnectorKeyAuth,
  limit: ExactLimit | undefined,
): SharedAccess {
  const registry = registries.get(clock) ?? new LruMap<AccessState>();
  registries.set(clock, registry);
  const { limiters, tokens } = registry.get(JSON.stringify([baseUrl, ...identityOf(auth)]), () => ({
    limiters: new LruMap<RateLimiter>(),
    tokens: auth.kind === 'client-credentials' ? new TokenSource(auth, baseUrl, clock) : undefined,
  }));
  const limiter = limit && limiters.get(JSON.stringify(limit), () => new RateLimiter(limit, clock));
  return { auth, limiter, tokens };
}

/** What identifies an access: a wrong secret must not share the token of the right one. */
function identityOf(auth: Auth | ConnectorKeyAuth): readonly unknown[] {
  if (auth.kind === 'platform') return [auth.kind, auth.accessKey];
  if (auth.kind !== 'client-credentials') return [auth.kind, auth.key];
  return [auth.kind, auth.clientId, auth.clientSecret, numberOf(auth.store)];
}

const storeNumbers = new WeakMap<TokenStore, number>();
let stores = 0;

/** Numbers each store, because a client must use the one it was given. */
function numberOf(store: TokenStore | undefined): number {
  if (!store) return 0;
  const known = storeNumbers.get(store);
  if (known !== undefined) return known;
  stores += 1;
  storeNumbers.set(store, stores);
  return stores;
}
