import { relayProblem } from '@screen-advertising/core/webhooks';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { Automation, Outcome } from './automation.ts';
import type { EventRoute } from './event-route.ts';

interface Address {
  readonly url: string;
  close(): void | Promise<void>;
}

/** Records a run that a delivery has started. */
type AddRun = (run: Promise<Outcome>) => void;

/**
 * The half of an automation that events start. `listen` opens the address for deliveries; a run has
 * started by the time its delivery gets a response.
 */
export function eventRuns(
  sandbox: Sandbox,
  route: EventRoute,
  listen: (add: AddRun) => Promise<Address>,
): Pick<Automation, 'happen' | 'relayHasProblem' | 'deliverAgain' | 'close'> {
  const runs: Promise<Outcome>[] = [];
  let address: Address | undefined;

  async function connect(event: Parameters<EventRoute['connect']>[0]): Promise<void> {
    if (address) return;
    address = await listen((run) => runs.push(run));
    await route.connect(event, address.url);
  }

  async function started(deliver: () => Promise<unknown>): Promise<Outcome[]> {
    runs.length = 0;
    await deliver();
    await route.settle();
    return await Promise.all(runs);
  }

  return {
    happen: (event, data) =>
      started(async () => {
        await connect(event);
        await sandbox.fire(event, data);
      }),
    relayHasProblem: () =>
      started(async () => {
        await connect(relayProblem.name);
        await route.switchOff?.('CRM');
      }),
    deliverAgain: () => started(() => route.deliverAgain()),
    close: async () => address?.close(),
  };
}
