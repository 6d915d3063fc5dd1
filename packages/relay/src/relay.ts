import type { Sources } from './admin/sources.ts';
import type { Tokens } from './admin/tokens.ts';
import type { RelayClock } from './clock/relay-clock.ts';

export interface Relay {
  /** Serves on 127.0.0.1 and a free port unless told, and starts to deliver. */
  listen(port?: number, host?: string): Promise<{ url: string }>;
  /** Takes nothing new, ends the attempts under way, and closes the database. */
  close(): Promise<void>;
  /** Encrypts every secret in the database with the first key of `secretKey`; gives how many. */
  renewSecrets(): Promise<number>;
  readonly clock: RelayClock;
  readonly sources: Pick<Sources, 'add' | 'list' | 'rotate'>;
  readonly tokens: Pick<Tokens, 'create' | 'list' | 'rotate' | 'revoke'>;
}
