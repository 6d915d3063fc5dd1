import type { ServerResponse } from 'node:http';
import type { Effect } from '../effect.ts';

export type Platform = 'node:http' | 'undici' | 'fetch' | 'n8n' | 'zapier';

/** Responds to a request in a faulty way. Its second argument lets the service do its work. */
export type Strike = (response: ServerResponse, answer: () => Promise<Response>) => Promise<void>;

export interface Fault {
  readonly name: string;
  readonly effect: Effect;
  /** Where a platform's own HTTP library reads what the others refuse, or the other way round. */
  readonly on?: Partial<Record<Platform, Effect>>;
  readonly strike: Strike;
  /** True when it can take longer than a try may. */
  readonly isSlow?: boolean;
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
