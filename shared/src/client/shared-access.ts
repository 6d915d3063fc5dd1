import type { Clock } from '../clock.ts';
import type { Auth, ConnectorKeyAuth, TokenStore } from './auth.ts';
import type { ExactLimit } from './fair-share.ts';
import { RateLimiter } from './rate-limit.ts';
import { TokenSource } from './token-source.ts';

/** What all clients of one access in a process share, since the service counts them together. */
export interface SharedAccess {
  readonly auth: Auth | ConnectorKeyAuth;
  /** Undefined when the limit is enforced elsewhere. */
  readonly limiter: RateLimiter | undefined;
  readonly quota: RetryQuota;
  readonly tokens: TokenSource | undefined;
  /** Notes that it is used now. */
  use(): void;
}

/** The part that all clients of an access share. */
interface AccessState {
  /** By limit: clients of one access may have different ones. */
  readonly limiters: Map<string, RateLimiter>;
  readonly quota: RetryQuota;
  readonly tokens: TokenSource | undefined;
}

/** The states of one clock, which in a program lives as long as the process. */
class Registry {
  readonly #known = new Map<string, WeakRef<AccessState>>();
  readonly #freed = new FinalizationRegistry<string>((identity) => {
    if (!this.get(identity)) this.#known.delete(identity);
  });
  /** Used states with the time of their last use, oldest first, which stay in memory. */
  readonly #recent = new Map<AccessState, number>();

  get(identity: string): AccessState | undefined {
    return this.#known.get(identity)?.deref();
  }

  add(identity: string, state: AccessState): AccessState {
    this.#known.set(identity, new WeakRef(state));
    this.#freed.register(state, identity);
    return state;
  }

  use(state: AccessState, now: number): void {
    const usedAt = this.#recent.get(state) ?? -retentionMs;
    // Moving it to the end on every call would cost time.
    if (now - usedAt < retentionMs / 60) return;
    this.#recent.delete(state);
    this.#recent.set(state, now);
    for (const [other, time] of this.#recent)
      if (now - time > retentionMs) this.#recent.delete(other);
  }
}

const registries = new WeakMap<Clock, Registry>();

/** A token lasts an hour, a window of the rate limit less. After that, a state has no use. */
const retentionMs = 3_600_000;

/**
 * The access of these credentials. Its state is the same for all clients of a clock, and is freed
 * once no client holds it and it was not used for an hour.
 */
export function sharedAccess(
  clock: Clock,
  baseUrl: string,
  auth: Auth | ConnectorKeyAuth,
  limit: ExactLimit | undefined,
): SharedAccess {
  const registry = registries.get(clock) ?? new Registry();
  registries.set(clock, registry);
  const identity = JSON.stringify([baseUrl, ...identityOf(auth)]);
  const state =
    registry.get(identity) ??
    registry.add(identity, {
      limiters: new Map(),
      quota: new RetryQuota(),
      tokens:
        auth.kind === 'client-credentials' ? new TokenSource(auth, baseUrl, clock) : undefined,
    });
  const { limiters, quota, tokens } = state;
  const limitKey = JSON.stringify(limit);
  const limiter = limit && (limiters.get(limitKey) ?? new RateLimiter(limit, clock));
  if (limiter) limiters.set(limitKey, limiter);
  return { auth, limiter, quota, tokens, use: () => registry.use(state, clock.now()) };
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

const capacity = 100;
const costOfRetry = 5;

/**
 * Prevents a retry storm during an outage: every retry costs credit, every success earns a little
 * back, and without credit a failure is final at once.
 */
export class RetryQuota {
  #credit = capacity;

  take(): boolean {
    if (this.#credit < costOfRetry) return false;
    this.#credit -= costOfRetry;
    return true;
  }

  earn(): void {
    this.#credit = Math.min(capacity, this.#credit + 1);
  }
}
