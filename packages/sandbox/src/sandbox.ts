import type { EventName } from '@screen-advertising/core';
import type { AssumptionVariants } from '@screen-advertising/core/contract';
import type { ListenOptions } from '@screen-advertising/server-kit';
import type { PartnerAccess, PartnerAccesses } from './access/access.ts';
import type { FaultList } from './faults/faults.ts';
import type { RequestJournal } from './service/journal.ts';
import type { RecordEditor } from './state/records.ts';
import type { SandboxClock } from './state/sandbox-clock.ts';
import type { Delivery, Snapshot } from './state/stored-records.ts';
import type { FireOptions } from './webhooks/fire.ts';
import type { Deliveries, Webhooks } from './webhooks/webhooks.ts';

export interface Sandbox extends RecordEditor {
  /**
   * Handles a request in the same process, without a socket. The URL's host name does not matter.
   */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /**
   * Serves on 127.0.0.1, or on the host of the options. The default port 0 picks a free one. With
   * another host, such as 0.0.0.0, other machines reach the service but not its admin API.
   */
  listen(address?: number | ListenOptions): Promise<{ url: string; baseUrl: string }>;
  /** Stops serving and delivering, and writes the state file. */
  close(): Promise<void>;
  readonly clock: SandboxClock;
  /** The accesses that may call, with their present credentials. */
  readonly accesses: PartnerAccesses;
  /**
   * Gives an access a new client secret and returns the access. The old secret stops working; access
   * tokens that were issued before do not. Throws a ProblemResponseError for an unknown access.
   */
  rotateClientSecret(accessId: string): PartnerAccess;
  readonly variants: AssumptionVariants;
  /**
   * Fires an event: changes its record (redeems a coupon, adds a campaign request) and delivers it
   * to the webhook addresses of the access. `data` adds to the event's fields and overrides them.
   * Without a `code`, coupon.redeemed uses the first active coupon of the access; an access without
   * coupons gets a sample. Resolves after the first attempt of each delivery. Rejects with a
   * ProblemResponseError if the event cannot happen.
   */
  fire(
    event: EventName,
    data?: Readonly<Record<string, unknown>>,
    options?: FireOptions,
  ): Promise<Delivery[]>;
  readonly webhooks: Webhooks;
  readonly deliveries: Pick<Deliveries, 'list' | 'redeliver'>;
  readonly faults: Pick<FaultList, 'add' | 'list' | 'remove' | 'clear'>;
  readonly journal: Pick<RequestJournal, 'list' | 'clear'>;
  /**
   * Returns to the seed: records, tokens, client secrets, rate limits, webhook addresses, deliveries,
   * faults, journal. The clock keeps its time.
   */
  reset(): void;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
}
