import { sampledCells } from '../describe-matrix.ts';
import type { Fault, Platform } from '../fault.ts';
import { type RecordFault, recordFaults } from '../faults/records.ts';
import { faults } from '../service-cell.ts';
import type { Cell } from '../world.ts';
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
  open?(): Promise<unknown>;
  close?(): Promise<unknown>;
}

export interface RelayCell extends Cell {
  readonly call: RelayCall;
  readonly fault: Fault | RecordFault;
}

/** Every request × every fault, struck once and for good. */
export function relayCells(calls: readonly RelayCall[]): readonly RelayCell[] {
  const all = [...faults, ...recordFaults].flatMap((fault) =>
    calls.flatMap((call) =>
      spansOf(fault, call).map((span): RelayCell => {
        const label = `${call.name}, ${fault.name} ${span}`;
        return { label, platform: call.platform, call, fault, span };
      }),
    ),
  );
  return sampledCells(all, ({ call }) => call);
}

/** An unreachable address never recovers, and no request was sent before. */
function spansOf({ effect }: Fault, call: RelayCall): readonly Cell['span'][] {
  if (effect.kind !== 'unreachable') return ['once', 'always'];
  return call.isPrepared || call.tolerates === 'all' ? [] : ['always'];
}
