import type { Clock } from '../clock.ts';
import type { Auth, TokenStore } from './auth.ts';
import type { RateLimit } from './fair-share.ts';
import { RateLimiter } from './rate-limit.ts';
import { RetryQuota } from './retry.ts';
import { TokenSource } from './token-source.ts';

/** What all clients of one access in a process share, since the service counts them together. */
export interface SharedAccess {
  readonly auth: Auth;
  /** None when somebody else keeps the limit. */
  readonly limiter: RateLimiter | undefined;
  readonly quota: RetryQuota;
  readonly tokens: TokenSource | undefined;
}

/** They live as long as their clock, which for programs is as long as the process. */
const shelves = new WeakMap<Clock, Map<string, unknown>>();

export function sharedAccess(
  clock: Clock,
  baseUrl: string,
  auth: Auth,
  limit: RateLimit | undefined,
): SharedAccess {
  const shelf = shelves.get(clock) ?? new Map<string, unknown>();
  shelves.set(clock, shelf);
  const shared = <T>(kind: string, aspect: unknown, make: () => T): T => {
    const key = JSON.stringify([kind, baseUrl, identity(auth), aspect]);
    const part = (shelf.get(key) as T | undefined) ?? make();
    shelf.set(key, part);
    return part;
  };
  return {
    auth,
    limiter: limit && shared('limiter', limit, () => new RateLimiter(limit, clock)),
    quota: shared('quota', null, () => new RetryQuota()),
    tokens:
      auth.kind === 'client-credentials'
        ? shared('tokens', numberOf(auth.store), () => new TokenSource(auth, baseUrl, clock))
        : undefined,
  };
}

/** A wrong secret must not share the token of the right one. */
function identity(auth: Auth): string[] {
  if (auth.kind === 'api-key') return [auth.kind, auth.key];
  if (auth.kind === 'platform') return [auth.kind, auth.accessKey];
  return [auth.kind, auth.clientId, auth.clientSecret];
}

const storeNumbers = new WeakMap<TokenStore, number>();
let stores = 0;

/** Tells stores apart: a client must use the one it was given. */
function numberOf(store: TokenStore | undefined): number {
  if (!store) return 0;
  const known = storeNumbers.get(store);
  if (known !== undefined) return known;
  stores += 1;
  storeNumbers.set(store, stores);
  return stores;
}
