import type { DeliveryState } from '../database/tables.ts';

/** What the response of the ingress makes of a request. */
export type IngestResult =
  | 'stored'
  | 'duplicate'
  | 'malformed'
  | 'forged'
  | 'unknown_source'
  | 'too_large'
  | 'unavailable'
  | 'failed';

export interface Ingested {
  readonly result: IngestResult;
  readonly durationMs: number;
}

export interface Attempted {
  /** As the API names it. */
  readonly delivery: string;
  readonly attempt: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** What the delivery is after it: a failed attempt that is retried leaves it `pending`. */
  readonly state: DeliveryState;
}

/**
 * Sees what happens in a relay: its metrics, and its log. No target URL and no body is shown to it,
 * since both may hold secrets.
 */
export interface Observer {
  ingested(ingested: Ingested): void;
  attempted(attempted: Attempted): void;
  failed(error: unknown): void;
}

/** Several as one. */
export function observers(all: readonly Observer[]): Observer {
  return {
    ingested: (ingested) => all.forEach((one) => void one.ingested(ingested)),
    attempted: (attempted) => all.forEach((one) => void one.attempted(attempted)),
    failed: (error) => all.forEach((one) => void one.failed(error)),
  };
}
