import { tier } from '../../support/tier.ts';
import type { Fault } from '../matrix/faults/fault.ts';
import { faults } from '../matrix/faults/index.ts';
import { type RecordFault, recordFaults } from './record-faults.ts';
import type { RelayCall } from './relay-call.ts';

/** One request of a connector, and what goes wrong with it how often. */
export interface RelayCell {
  readonly call: RelayCall;
  readonly fault: Fault | RecordFault;
  readonly span: 'once' | 'always';
}

/** Everything that the service's matrix knows, and what only a relay can do. */
export const relayFaults: readonly (Fault | RecordFault)[] = [...faults, ...recordFaults];

export function labelOf({ call, fault, span }: RelayCell): string {
  return `${call.name}, ${fault.name} ${span}`;
}

/**
 * Every request × every fault, struck once and for good: all cells nightly. For every change each
 * request with each fault, so that all pairs occur; everyday each fault once.
 */
export function cellsOf(calls: readonly RelayCall[]): RelayCell[] {
  const all = allCells(calls);
  if (tier === 'nightly') return all;
  return relayFaults.flatMap((fault, nth) => {
    const own = all.filter((cell) => cell.fault === fault);
    if (tier === 'everyday') return own[(7 * nth) % own.length] ?? [];
    return calls.flatMap((call, at) => {
      const line = own.filter((cell) => cell.call === call);
      return line[(at + nth) % line.length] ?? [];
    });
  });
}

function allCells(calls: readonly RelayCall[]): RelayCell[] {
  return calls.flatMap((call) =>
    relayFaults.flatMap((fault) =>
      fault.effect.kind === 'unreachable'
        ? unreachable(call, fault)
        : (['once', 'always'] as const).map((span) => ({ call, fault, span })),
    ),
  );
}

/** An unreachable address never recovers, and no request was sent before. */
function unreachable(call: RelayCall, fault: Fault): RelayCell[] {
  return call.isPrepared || call.tolerates === 'all' ? [] : [{ call, fault, span: 'always' }];
}
