import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { Database } from './base/database.ts';
import type { SecretBox } from './base/secrets.ts';
import type { Observer } from './log/observer.ts';
import type { Outbound } from './outbound/agents.ts';

/** What the parts of one relay share. */
export interface RelayContext extends Database {
  readonly clock: ScheduledClock;
  readonly box: SecretBox;
  /** Called after events are stored: sends them, from here and other processes. */
  readonly wake: () => void;
  /** Called after any other commit that may leave work to a sender or to the maintenance. */
  readonly changed: () => void;
  readonly outbound: Outbound;
  /** Where the operator wants problems reported. */
  readonly problemUrl: string | undefined;
  readonly report: (error: unknown) => void;
  readonly observer: Observer;
}
