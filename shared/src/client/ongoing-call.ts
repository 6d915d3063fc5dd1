import type { Endpoint } from '../catalogue/operation.ts';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import type { Transport } from '../transport/transport.ts';
import type { Deadline } from './deadline.ts';
import type { Peer } from './error-from-response.ts';
import type { PreparedRequest } from './request.ts';
import type { RetryPolicy } from './retry.ts';
import type { SharedAccess } from './shared-access.ts';

/** A call in progress, with everything needed to send its request. */
export interface OngoingCall {
  readonly access: SharedAccess;
  readonly peer: Peer;
  readonly transport: Transport;
  readonly operation: Endpoint;
  readonly input: Readonly<Record<string, unknown>>;
  readonly request: PreparedRequest;
  readonly retry: RetryPolicy;
  /** Milliseconds for each single attempt. */
  readonly timeoutMs: number;
  /** Undefined when the caller set none. */
  readonly deadline: Deadline | undefined;
  /** Aborts with the caller's signal or at the deadline. */
  readonly signal: AbortSignal | undefined;
}

/** How an attempt ended. */
export type Outcome = { readonly value: unknown } | Failure;

export interface Failure {
  readonly error: ScreenAdvertisingError;
  /**
   * Whether the service may have carried out the request: `no` when it was never sent or was
   * refused, `maybe` when the response was lost.
   */
  readonly isApplied: 'no' | 'maybe';
  /** The token that was refused with 401. */
  readonly refusedToken?: string | undefined;
}
