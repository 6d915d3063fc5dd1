import { Sender } from '../deliver/claim.ts';
import { observers, type RelayContext } from '../log/context.ts';

import { Maintenance } from '../operate/maintenance/maintenance.ts';
import { followProblemUrl } from '../operate/problem-url.ts';
import { HourlyCounts } from '../operate/watch/hourly-counts.ts';
import type { RelayOptions } from '../options.ts';
import type { Resources } from './resources.ts';

/** What a relay does beside the requests that it serves. */
export class Background {
  readonly context: RelayContext;
  readonly #resources: Resources;
  readonly #sender: Sender | undefined;
  readonly #maintenance: Maintenance;
  readonly #hourlyCounts: HourlyCounts;
  #isStarted = false;

  constructor(resources: Resources, options: RelayOptions) {
    const { databases, clock, observer } = resources;
    const { role, problemUrl, publicUrl, internal } = options;
    this.#resources = resources;
    this.#hourlyCounts = new HourlyCounts({ db: databases.sending.db, clock });
    this.context = {
      ...databases.log,
      clock,
      box: resources.box,
      wake: () => this.#wake(),
      changed: () => this.#changed(),
      outbound: resources.outbound,
      problemUrl,
      report: resources.report,
      observer: observers([observer, this.#hourlyCounts]),
    };
    if (role !== 'ingress') {
      const sending = { ...this.context, ...databases.sending };
      this.#sender = new Sender(sending, internal);
    }
    const page = publicUrl?.replace(/\/+$/, '');
    this.#maintenance = new Maintenance(this.context, resources.retentionMs, page);
  }

  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const sender = this.#sender;
    if (sender) await followProblemUrl(this.context);
    sender?.start();
    this.#maintenance.start();
    const { clock, notifier, connectionString } = this.#resources;
    if (sender && !clock.isFrozen) notifier.listen(connectionString, () => sender.wake());
  }

  async stop(): Promise<void> {
    await Promise.all([this.#sender?.stop(), this.#maintenance.stop()]);
  }

  /** Once nothing adds to them. */
  async save(): Promise<void> {
    await this.#resources.clock.settle();
    await this.#hourlyCounts.flush();
  }

  #wake(): void {
    this.#sender?.wake();
    if (!this.#resources.clock.isFrozen) this.#resources.notifier.notify();
  }

  #changed(): void {
    this.#wake();
    this.#sender?.leaveEnded();
    if (this.#isStarted) this.#maintenance.settle();
  }
}
