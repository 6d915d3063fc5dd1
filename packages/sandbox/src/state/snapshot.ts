import type { ClockState } from '../clock/sandbox-clock.ts';
import type { StoredData } from './store.ts';

/**
 * The whole state as plain JSON. It holds no secret: credentials belong to the options, and of
 * access tokens there are digests only.
 */
export interface Snapshot {
  readonly version: 1;
  readonly clock: ClockState;
  readonly data: StoredData;
}
