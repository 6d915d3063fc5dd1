import type { Deliveries } from './admin/deliveries.ts';
import type { Events } from './admin/events.ts';
import type { Sources } from './admin/sources.ts';
import type { Subscriptions } from './admin/subscriptions.ts';
import type { Tokens } from './admin/tokens.ts';
import type { RelayClock } from './clock/relay-clock.ts';
import type { Pruned } from './upkeep/prune.ts';

export interface Relay {
  /** Serves on 127.0.0.1 and a free port unless told, and starts to deliver. */
  listen(port?: number, host?: string): Promise<{ url: string }>;
  /** Takes nothing new, ends the attempts under way, and closes the database. */
  close(): Promise<void>;
  /**
   * A link under the given address of the relay that signs an operator in to its page. It works once,
   * within 15 minutes, at every process of the same database.
   */
  signInLink(relayUrl: string): Promise<string>;
  /** Encrypts every secret in the database with the first key of `secretKey`; gives how many. */
  renewSecrets(): Promise<number>;
  readonly clock: RelayClock;
  readonly sources: Pick<Sources, 'add' | 'list' | 'rotate'>;
  readonly tokens: Pick<Tokens, 'create' | 'list' | 'rotate' | 'revoke'>;
  readonly subscriptions: Pick<Subscriptions, 'list' | 'off' | 'on'>;
  readonly events: Pick<Events, 'list' | 'replay'>;
  readonly deliveries: Pick<Deliveries, 'list' | 'replay'>;
  /** Takes away events that arrived, and were last attempted, longer ago; an hour at least. */
  prune(olderThanMs: number): Promise<Pruned>;
}
