import { describe } from '@jest/globals';
import { describeAbort } from './contract/abort.ts';
import { describeClock } from './contract/clock.ts';
import { describeConnections } from './contract/connections.ts';
import {
  ContractBench,
  type TransportTraits,
  type TransportUnderTest,
} from './contract/contract-bench.ts';
import { describeLostResponses } from './contract/lost-responses.ts';
import { describeNothingSent } from './contract/nothing-sent.ts';
import { describeResponses } from './contract/responses.ts';
import { describeSending } from './contract/sending.ts';
import { describeSizeCap } from './contract/size-cap.ts';

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
    const bench = new ContractBench(make, traits);
    describeSending(bench);
    describeResponses(bench);
    describeNothingSent(bench);
    describeLostResponses(bench);
    describeSizeCap(bench, traits.maxResponseBytes ?? 8 * 1024 * 1024);
    if (traits.poolsConnections) describeConnections(bench);
    describeAbort(bench);
    describeClock(bench);
  });
}
