import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { OperationId, OutputOf } from './base/contract.ts';
import type { Pruned } from './log/prune.ts';
import type { EventStream } from './operate/event-stream.ts';
import type { OperateInput } from './operate/operate.ts';
import type { resetSecrets } from './operate/secrets.ts';
import type { Sources } from './operate/sources.ts';
import type { Tokens } from './operate/tokens.ts';
import type { CopiedRows } from './run/postgres/copy-database.ts';

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
  operate<Id extends OperationId>(operation: Id, ...asked: OperateInput<Id>): Promise<OutputOf<Id>>;
  /**
   * Deletes events that arrived, and were last attempted, longer ago than this; an hour at least.
   */
  prune(olderThanMs: number): Promise<Pruned>;
}
