import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord } from '../json.ts';
import type { HeaderFields } from './options.ts';

/** One request that was sent, for logs and metrics. It holds no secret. */
export interface Attempt {
  /** Such as `coupon.create`; `token` for a request of an access token. */
  readonly operation: string;
  /** Counts from 1; above 1, this is a retry. */
  readonly attempt: number;
  /** HTTP method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The template, such as `/coupons/{code}`. */
  readonly path: string;
  /** Undefined when no response arrived. */
  readonly status: number | undefined;
  /** Milliseconds from sending the request to the last byte of the response. */
  readonly durationMs: number;
  /** Milliseconds waited before it was sent: for a retry, the rate limit, or a token. */
  readonly waitMs: number;
  /** Why it failed. Undefined for a success, and when the caller canceled it. */
  readonly error: ScreenAdvertisingError | undefined;
}

/** Called after every request. */
export type AttemptHook = (attempt: Attempt) => void;

/** A request that is about to be sent, for a `RequestHook`. */
type UpcomingRequest = Pick<Attempt, 'operation' | 'attempt' | 'method' | 'path'> & {
  /** Lower-case names, without `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Returns headers to add to a request, such as `traceparent`, or to replace; none of those that the
 * client sets. It must not be an async function. What it throws ends the call.
 */
export type RequestHook = (request: UpcomingRequest) => HeaderFields | undefined;

/** Calls a hook. Whatever it throws is dropped, because logging must not fail a call. */
export function notify<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    const result: unknown = hook?.(event);
    // Not `instanceof`: it may be a promise of another realm.
    if (isRecord(result) && 'then' in result) Promise.resolve(result).catch(() => undefined);
  } catch {
    // See above.
  }
}
