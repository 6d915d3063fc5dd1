import { beforeEach, describe } from '@jest/globals';
import {
  ContractBench,
  type TransportTraits,
  type TransportUnderTest,
} from './contract/contract-bench.ts';
import {
  describeFailures,
  describeResponses,
  describeSending,
  describeSizeCap,
} from './contract/exchanges.ts';
import { describeAbort, describeClock, describeConnections } from './contract/lifetimes.ts';
import { describeLaw } from './law/describe-law.ts';

export type { TransportTraits, TransportUnderTest } from './contract/contract-bench.ts';

/**
 * What every transport must do, over real connections on this machine. `make` creates a transport
 * for one test; it is closed afterwards.
 */
export function describeTransport(
  name: string,
  make: () => TransportUnderTest | Promise<TransportUnderTest>,
  traits: TransportTraits = {},
): void {
  describe(name, () => {
    const bench = new ContractBench(traits);
    beforeEach(() => bench.begin(make));
    describeSending(bench);
    describeAbort(bench);
    if (traits.poolsConnections) describeConnections(bench);
    describeFailures(bench);
    if (traits.law) describeLaw(make, traits.law);
    if (traits.isVariation) return;
    describeResponses(bench);
    describeSizeCap(bench);
    describeClock(bench);
  });
}
