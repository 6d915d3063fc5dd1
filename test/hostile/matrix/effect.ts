import type { DeadEnds } from '../support/hostile-service.ts';

/** What a fault leaves a client with, in words of HTTP and of the contract alone. */
export type Effect =
  /** The response arrives and can be used. */
  | { readonly kind: 'usable' }
  /** No service can be reached there, and nothing was sent. */
  | { readonly kind: 'unreachable'; readonly at: keyof DeadEnds; readonly mayPass: boolean }
  /** The response was lost on its way. `mayPass`: a retry can help. */
  | {
      readonly kind: 'lost';
      readonly code: 'network_error' | 'timeout';
      readonly isApplied: boolean;
      readonly mayPass: boolean;
    }
  /** A success whose body says nothing. */
  | { readonly kind: 'unreadable'; readonly status: number; readonly isEmpty: boolean }
  | { readonly kind: 'redirect'; readonly status: number }
  /** An error status: the service did nothing, or (5xx) may have done it before it failed. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly hasProblem: boolean;
      readonly isApplied: boolean;
      /** Seconds that a 429 asks to wait, when it says so in a way that can be read. */
      readonly wait?: number;
    };
