import type { Platform } from '../matrix/faults/fault.ts';
import type { RelayWorld } from './relay-world.ts';

/** How one request of a connector to the relay went. */
export interface Played {
  readonly ends: 'works' | 'fails';
  /** The text that a person reads when it fails. */
  readonly text: string;
  /** Whether the failure is one of the errors that the platform knows. */
  readonly isTyped: boolean;
  /** The code of the core's own error. */
  readonly code?: string;
  /** Everything that is shown, logged or kept. */
  readonly shown: unknown;
  /** What the platform stores. */
  readonly stored?: string;
}

/** How patient a connector is with one request, in milliseconds. */
export interface Patience {
  readonly attempts: number;
  readonly maxWaitMs: number;
  readonly timeoutMs: number;
  /** For the request with all its attempts. */
  readonly deadlineMs?: number;
}

/** One request that a connector sends to the relay. */
export interface RelayCall {
  readonly name: string;
  readonly platform: Platform;
  readonly route: { readonly method: string; readonly path: RegExp };
  readonly patience: Patience;
  /** How often the action sends it, each time with its own patience. Default: once. */
  readonly times?: number;
  /** Starts with honest requests to the same address, so the address is never wrong. */
  readonly isPrepared?: boolean;
  /** Milliseconds for all pages of a list, after which no other page is asked for. */
  readonly listMs?: number;
  /** An action that works although this request fails: `retryable` if a retry may help. */
  readonly tolerates?: 'all' | 'retryable' | 'a rejected key';
  /** What is requested may be gone: a 404 of the relay is fine. */
  readonly mayBeGone?: boolean;
  readonly needsNoBody?: boolean;
  play(world: RelayWorld): Promise<Played>;
}

/** Acts on one platform. */
export interface RelayPlayer {
  readonly calls: readonly RelayCall[];
  close?(): Promise<unknown>;
}
