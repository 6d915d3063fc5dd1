import type { EventName } from '@screen-advertising/core';
import { relayProblem } from '@screen-advertising/core/webhooks';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { EventRoute } from './event-route.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The outcome of one run of a recipe. */
export interface Outcome {
  /** What the last step passed to the email program or the spreadsheet, one record each. */
  readonly handedOver: readonly Fields[];
  /** The files attached to it, if any. */
  readonly files?: readonly File[];
  /** What a person sees of a failed run. */
  readonly failure?: string;
}

/** A recipe on one of the platforms, built from its workflow file or from the steps of its page. */
export interface Automation {
  /** The runs that the event starts, once all are done. */
  happen(event: EventName, data: Fields): Promise<Outcome[]>;
  /** The runs that a problem of the relay starts, once all are done. */
  relayHasProblem(): Promise<Outcome[]>;
  /** The route delivers the newest event again; returns the runs that this starts. */
  deliverAgain(): Promise<Outcome[]>;
  /** A run of a recipe that a schedule or a person starts, with the rows of their list. */
  start(rows?: readonly Fields[]): Promise<Outcome>;
  close(): Promise<void>;
}

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
