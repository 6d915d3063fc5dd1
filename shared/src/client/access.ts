import type { Clock } from '../clock.ts';
import type { Auth } from './auth.ts';
import { type RateLimit, RateLimiter } from './rate-limit.ts';
import { RetryQuota } from './retry.ts';
import { TokenSource } from './token.ts';

/** What all clients of one access in a process share, since the service counts them together. */
export interface Access {
  readonly auth: Auth;
  readonly limiter: RateLimiter;
  readonly quota: RetryQuota;
  readonly tokens: TokenSource | undefined;
}

/** Accesses live as long as their clock, which for programs is as long as the process. */
const accesses = new WeakMap<Clock, Map<string, Access>>();

export function accessFor(clock: Clock, baseUrl: string, auth: Auth, limit: RateLimit): Access {
  const known = accesses.get(clock) ?? new Map<string, Access>();
  accesses.set(clock, known);
  const key = JSON.stringify([baseUrl, identity(auth), limit]);
  const access = known.get(key) ?? {
    auth,
    limiter: new RateLimiter(limit, clock),
    quota: new RetryQuota(),
    tokens: auth.kind === 'client-credentials' ? new TokenSource(auth, baseUrl, clock) : undefined,
  };
  known.set(key, access);
  return access;
}

/** A wrong secret must not share the token of the right one. */
function identity(auth: Auth): string[] {
  if (auth.kind === 'api-key') return [auth.kind, auth.key];
  if (auth.kind === 'platform') return [auth.kind, auth.accessKey];
  return [auth.kind, auth.clientId, auth.clientSecret];
}
