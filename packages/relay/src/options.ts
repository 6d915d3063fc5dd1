import type { Log } from './observe/log.ts';
import type { Resolve } from './targets/guarded-agent.ts';

export interface RelayOptions {
  /** A PostgreSQL of yours; without one the relay runs its own in `dataDir`. */
  readonly databaseUrl?: string;
  /** Where the relay's own PostgreSQL and the key file lie. */
  readonly dataDir?: string;
  /**
   * 32 bytes in base64 that secrets are encrypted with; made and kept in `dataDir` unless given. After a
   * comma, earlier ones that still open what they sealed.
   */
  readonly secretKey?: string;
  /** The address that the service and operators use, such as https://relay.example.com. */
  readonly publicUrl?: string;
  /**
   * What operators sign in to the page with. Made and kept in `dataDir` unless given; where nothing else
   * lies in `dataDir` either, sign-in links are the only way in.
   */
  readonly adminToken?: string;
  /** Which half of the work this process does; `all` unless given. */
  readonly role?: 'ingress' | 'sender' | 'all';
  /** Hosts, addresses and networks that deliveries may go to besides public addresses over https. */
  readonly allowTargets?: readonly string[];
  /** Days that an event stays after it arrived and was last attempted; 30 unless given. */
  readonly keepDays?: number;
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
  /** Where it is logged what happens, such as a pino logger; nowhere unless given. */
  readonly log?: Log;
  /** Told what failed and was survived; nothing unless given. */
  readonly onError?: (error: unknown) => void;
}
