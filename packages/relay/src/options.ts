import type { Resolve } from './targets/guarded-agent.ts';

export interface RelayOptions {
  /** A PostgreSQL of yours; without one the relay runs its own in `dataDir`. */
  readonly databaseUrl?: string;
  /** Where the relay's own PostgreSQL and the key file lie. */
  readonly dataDir?: string;
  /** 32 bytes in base64 that secrets are encrypted with; made and kept in `dataDir` unless given. */
  readonly secretKey?: string;
  /** Which half of the work this process does; `all` unless given. */
  readonly role?: 'ingress' | 'sender' | 'all';
  /** Hosts, addresses and networks that deliveries may go to besides public addresses over https. */
  readonly allowTargets?: readonly string[];
  /** Subscriptions that this process delivers to at a time; 100 unless given. */
  readonly lanes?: number;
  /** Milliseconds that a subscriber has for its response; 15,000 unless given. */
  readonly deliveryTimeoutMs?: number;
  /** Starts a clock at this moment that only `clock.advance` moves; the machine's clock unless given. */
  readonly startAt?: number | string | Date;
  /** A number from 0 up to 1, for the jitter of retries; Math.random unless given. */
  readonly random?: () => number;
  /** Finds the addresses of a target's host; DNS unless given. */
  readonly resolve?: Resolve;
  /** Told what failed and was survived; nothing unless given. */
  readonly onError?: (error: unknown) => void;
}
