import type { ServerResponse } from 'node:http';
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
      /** The status arrives: it is enough when it is a refusal, as the next one may be. */
      readonly hasStatus?: boolean;
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

export type Refused = Extract<Effect, { kind: 'refused' }>;

export type Platform = 'node:http' | 'undici' | 'fetch' | 'n8n' | 'zapier';

/** Responds to a request in a faulty way. Its second argument lets the service do its work. */
export type Strike = (response: ServerResponse, answer: () => Promise<Response>) => Promise<void>;

export interface Fault {
  readonly name: string;
  readonly effect: Effect;
  /** Where a platform's own HTTP library reads what the others refuse, or the other way round. */
  readonly on?: Partial<Record<Platform, Effect>>;
  readonly strike: Strike;
}

export const lost = (
  isApplied: boolean,
  code: 'network_error' | 'timeout' = 'network_error',
): Effect => ({
  kind: 'lost',
  code,
  isApplied,
  mayPass: true,
});

export function effectOf({ fault, platform }: { fault: Fault; platform: Platform }): Effect {
  return fault.on?.[platform] ?? fault.effect;
}
