import type { Platform } from '../fault.ts';
import type { ServiceCell } from '../service-cell.ts';

/** Where chance decides. */
export type Span = readonly [least: number, most: number];

/** How patient a platform lets the client be. */
interface Policy {
  /** Tries of one request. */
  readonly attempts: number;
  /** Seconds that a task may wait in all. */
  readonly patience: number;
  /**
   * Tries of a request that is limited for good, if the service names no wait. A pause is from 0 to
   * 20 s long, so about 23 of them fill the patience of 180 s.
   */
  readonly untimed: Span;
  /** Tries for an access token: of failures that pass, of the others, and if limited for good. */
  readonly tokenAttempts: {
    readonly passing: number;
    readonly internal: number;
    readonly limited?: number;
  };
}

const core: Policy = {
  attempts: 4,
  patience: 180,
  untimed: [12, 40],
  tokenAttempts: { passing: 4, internal: 4 },
};

const policies: Record<Platform, Policy> = {
  'node:http': core,
  undici: core,
  fetch: core,
  n8n: {
    attempts: 4,
    patience: 900,
    untimed: [70, 130],
    tokenAttempts: { passing: 4, internal: 4, limited: 4 },
  },
  // Reads only; no wait that the service asks for is as short.
  zapier: {
    attempts: 3,
    patience: 0.9,
    untimed: [3, 30],
    tokenAttempts: { passing: 1, internal: 1 },
  },
};

/** Zapier itself retries runs, so within one run the client retries neither changes nor tokens. */
const once: Policy = {
  attempts: 1,
  patience: 0,
  untimed: [1, 1],
  tokenAttempts: { passing: 1, internal: 1 },
};

export function policyOf(cell: ServiceCell): Policy {
  const isOnce = cell.platform === 'zapier' && (isChange(cell) || cell.target === 'token');
  return isOnce ? once : policies[cell.platform];
}

export const isChange = ({ task }: ServiceCell): boolean => task.change !== 'nothing';

/** Short waits are made longer by chance, so that callers do not come back together. */
export function attemptsUntil({ patience, untimed }: Policy, wait = 0): number | Span {
  return wait >= 20 ? Math.floor(patience / wait) + 1 : untimed;
}
