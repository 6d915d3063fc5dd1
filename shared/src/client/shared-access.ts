import type { Clock } from '../clock.ts';
import type { Auth, ConnectorKeyAuth, TokenStore } from './auth.ts';
import type { RateLimit } from './fair-share.ts';
import { RateLimiter } from './rate-limit.ts';
import { TokenSource } from './token-source.ts';

/** What all clients of one access in a process share, since the service counts them together. */
export interface SharedAccess {
  readonly auth: Auth | ConnectorKeyAuth;
  /** Undefined when the limit is enforced elsewhere. */
  readonly limiter: RateLimiter | undefined;
  readonly quota: RetryQuota;
  readonly tokens: TokenSource | undefined;
}

/** Shared state lives as long as its clock, which in a program is as long as the process. */
const registries = new WeakMap<Clock, Map<string, unknown>>();

/** The fields that identify an access: a wrong secret must not share the token of the right one. */
const identity = ['kind', 'key', 'accessKey', 'clientId', 'clientSecret'];

export function sharedAccess(
  clock: Clock,
  baseUrl: string,
  auth: Auth | ConnectorKeyAuth,
  limit: RateLimit | undefined,
): SharedAccess {
  const shelf = registries.get(clock) ?? new Map<string, unknown>();
  registries.set(clock, shelf);
  const access = JSON.stringify([baseUrl, auth], identity);
  return {
    auth,
    limiter:
      limit &&
      getOrCreate(
        shelf,
        `limiter ${JSON.stringify(limit)} ${access}`,
        () => new RateLimiter(limit, clock),
      ),
    quota: getOrCreate(shelf, `quota ${access}`, () => new RetryQuota()),
    tokens:
      auth.kind === 'client-credentials'
        ? getOrCreate(
            shelf,
            `tokens ${numberOf(auth.store)} ${access}`,
            () => new TokenSource(auth, baseUrl, clock),
          )
        : undefined,
  };
}

/** The shelf's part with this key, created on first use. */
function getOrCreate<Part>(shelf: Map<string, unknown>, key: string, make: () => Part): Part {
  const part = (shelf.get(key) as Part | undefined) ?? make();
  shelf.set(key, part);
  return part;
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
