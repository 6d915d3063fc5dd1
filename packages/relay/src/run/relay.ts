import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { OperationId, OperatorInput, OutputOf } from '../base/contract.ts';
import type { PrunedCounts } from '../log/prune.ts';
import type { EventStream } from '../operate/event-stream.ts';
import type { Log } from '../operate/log.ts';
import type { resetSecrets } from '../operate/renew-secrets.ts';
import type { Sources } from '../operate/sources.ts';
import type { Tokens } from '../operate/tokens.ts';
import type { EgressProxy, ResolveHost } from '../outbound/agents.ts';
import type { CopiedRows } from './postgres/copy-database.ts';

export interface RelayOptions {
  /** Your PostgreSQL. Without it, the relay runs its own in `dataDir`. */
  readonly databaseUrl?: string;
  /** Folder of the relay's own PostgreSQL and its key file. */
  readonly dataDir?: string;
  /**
   * 32 bytes in base64 that encrypt secrets. Default: generated and stored in `dataDir`. After a
   * comma, add earlier keys that can still decrypt.
   */
  readonly secretKey?: string;
  /** Whether to start although secrets cannot be decrypted, to call `resetSecrets`. */
  readonly isSecretKeyLost?: boolean;
  /** The address that the service and operators use, such as https://relay.example.com. */
  readonly publicUrl?: string;
  /**
   * Operators sign in to the page with it. Default: generated and stored in `dataDir`. If the relay
   * uses no `dataDir`, sign-in links are the only way in.
   */
  readonly adminToken?: string;
  /**
   * Where to report problems of the relay, such as the incoming webhook of a chat. Subscribers can
   * get them as events in any case.
   */
  readonly problemUrl?: string;
  /** Which half of the work this process does. Default: `all`. */
  readonly role?: 'ingress' | 'sender' | 'all';
  /**
   * Hosts, addresses and networks that deliveries may go to, in addition to public addresses over
   * https.
   */
  readonly allowTargets?: readonly string[];
  /** Days to keep an event after it arrived and was last attempted. Default: 30. */
  readonly retentionDays?: number;
  /**
   * Proxy for requests to subscribers on https, except those to `allowTargets`. It resolves their
   * names, so it must refuse private addresses. Default: none.
   */
  readonly proxy?: EgressProxy;
  /** Port of `/metrics`, which then is on no other; 0 for a free one. Default: that of `listen`. */
  readonly metricsPort?: number;
  /** Where to log, such as a pino logger. Default: no log. */
  readonly log?: Log;
  /** Called with each error that the relay survives. Default: none. */
  readonly onError?: (error: unknown) => void;
  /** Only tests set these. */
  readonly internal?: InternalOptions;
}

interface InternalOptions {
  /** Whether time runs, or stands still until `clock.advance`. Default: `running`. */
  readonly clock?: 'running' | 'frozen';
  /** Start of the clock: milliseconds since 1970, a date, or a timestamp. Default: now. */
  readonly startAt?: number | string | Date;
  /** Returns a number from 0 up to 1, for the jitter of retries. Default: Math.random. */
  readonly random?: () => number;
  /** Resolves the addresses of a target's host. Default: dns.lookup. */
  readonly resolve?: ResolveHost;
  /** Milliseconds that a subscriber has to respond. Default: 15,000. */
  readonly deliveryTimeoutMs?: number;
  /** How many subscriptions this process delivers to at once. Default: 500. */
  readonly places?: number;
}

export interface Relay {
  /** Serves HTTP and starts to deliver. Default: a free port of 127.0.0.1. */
  listen(port?: number, host?: string): Promise<{ url: string; metricsUrl?: string }>;
  /** Accepts nothing new, finishes the running attempts, and closes the database. */
  close(): Promise<void>;
  /**
   * A link, under the given relay address, that signs an operator in to the page. It works once,
   * within 15 minutes, at every process of the same database.
   */
  signInLink(relayUrl: string): Promise<string>;
  /**
   * Re-encrypts every secret in the database with the first key of `secretKey`. Returns how many.
   */
  renewSecrets(): Promise<number>;
  /**
   * Replaces secrets that no key of `secretKey` decrypts by random ones, and returns whose. For a
   * relay that was created with `isSecretKeyLost`.
   */
  resetSecrets(): ReturnType<typeof resetSecrets>;
  /**
   * Copies everything but sign-ins into an empty PostgreSQL database, as of one moment. The secrets
   * stay encrypted with the same key. Returns the number of rows of each table.
   */
  copy(databaseUrl: string): Promise<CopiedRows>;
  readonly clock: Pick<ScheduledClock, 'now' | 'advance'>;
  readonly sources: Sources;
  readonly tokens: Tokens;
  readonly stream: EventStream;
  /**
   * Carries out an operation of the API, such as `subscriptions.retry`, for an operator. Rejects with
   * a RelayError.
   */
  operate<Id extends OperationId>(
    operation: Id,
    ...asked: OperatorInput<Id>
  ): Promise<OutputOf<Id>>;
  /**
   * Deletes events that arrived, and were last attempted, longer ago than this; an hour at least.
   */
  prune(olderThanMs: number): Promise<PrunedCounts>;
}
