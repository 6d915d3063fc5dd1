import type { Sandbox } from '@screen-advertising/sandbox';
import type { Automation, Outcome } from './automation.ts';

interface Address {
  readonly url: string;
  close(): void | Promise<void>;
}

/** Takes note of a run that a delivery has started. */
type AddRun = (run: Promise<Outcome>) => void;

/**
 * The half of an automation that events start. `listen` opens the address that a person hands to
 * the administration; a run has started by the time a delivery is answered.
 */
export function eventRuns(
  sandbox: Sandbox,
  listen: (add: AddRun) => Promise<Address>,
): Pick<Automation, 'happen' | 'deliverAgain' | 'close'> {
  const runs: Promise<Outcome>[] = [];
  let address: Address | undefined;

  async function started(deliver: () => Promise<unknown>): Promise<Outcome[]> {
    runs.length = 0;
    await deliver();
    return await Promise.all(runs);
  }

  return {
    happen: (event, data) =>
      started(async () => {
        if (!address) {
          address = await listen((run) => runs.push(run));
          sandbox.webhooks.add({ url: address.url });
        }
        await sandbox.fire(event, data);
      }),
    deliverAgain: () =>
      started(async () => {
        const newest = sandbox.deliveries.list().at(-1);
        if (!newest) throw new Error('Nothing was delivered yet.');
        await sandbox.deliveries.redeliver(newest.id);
      }),
    close: async () => address?.close(),
  };
}
