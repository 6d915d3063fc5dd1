import { randomUUID } from 'node:crypto';
import { type EventName, signWebhook } from '@screen-advertising/core';
import { type SandboxContext, timestamp } from '../context.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import type { Delivery } from '../state/stored-records.ts';
import { eventBody } from './event-body.ts';
import { post } from './post.ts';
import { schemeOf } from './scheme-of.ts';

/** Milliseconds before each retry (section 6). After the last one, a delivery is exhausted. */
const retryIntervals: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

/** Older deliveries are dropped. */
const maxDeliveries = 1000;

const headers = {
  'content-type': 'application/json',
  'user-agent': 'screen-advertising-sandbox',
};

/** Sends signed events to the addresses of an access, and retries failed deliveries (section 6). */
export class Deliveries {
  readonly #context: SandboxContext;
  readonly #timeoutMs: number;

  constructor(context: SandboxContext, timeoutMs: number) {
    this.#context = context;
    this.#timeoutMs = timeoutMs;
  }

  /** Creates one delivery per address of the access. Resolves after the first attempts. */
  async send(
    accessId: string,
    event: EventName,
    data: Readonly<Record<string, unknown>>,
  ): Promise<Delivery[]> {
    const { store, variants } = this.#context;
    const createdAt = timestamp(this.#context);
    const eventId = `evt_${randomUUID()}`;
    const body = eventBody(variants, { id: eventId, type: event, createdAt, data });
    const deliveries = [...store.webhooks.values()]
      .filter((webhook) => webhook.accessId === accessId)
      .map(
        (webhook): Delivery => ({
          id: `dlv_${randomUUID()}`,
          eventId,
          event,
          accessId,
          webhookId: webhook.id,
          url: webhook.url,
          body,
          status: 'pending',
          createdAt,
          nextAttemptAt: createdAt,
          attempts: [],
        }),
      );
    for (const delivery of deliveries) this.#add(delivery);
    await Promise.all(
      deliveries.map((delivery) => this.#context.clock.track(this.#attempt(delivery, false))),
    );
    return structuredClone(deliveries);
  }

  list(): Delivery[] {
    return structuredClone([...this.#context.store.deliveries.values()]);
  }

  /** Makes one more attempt by hand, now, outside the schedule. */
  async redeliver(id: string): Promise<Delivery> {
    const delivery = this.#context.store.deliveries.get(id);
    if (!delivery) throw new ProblemResponseError('not-found', `There is no delivery ${id}.`);
    await this.#context.clock.track(this.#attempt(delivery, true));
    return structuredClone(delivery);
  }

  /** Schedules the pending retries of a restored state. */
  resume(): void {
    for (const delivery of this.#context.store.deliveries.values()) {
      if (delivery.status === 'pending') this.#schedule(delivery);
    }
  }

  #add(delivery: Delivery): void {
    const { deliveries } = this.#context.store;
    deliveries.set(delivery.id, delivery);
    for (const [id, { status }] of deliveries) {
      if (deliveries.size <= maxDeliveries) return;
      if (status !== 'pending') deliveries.delete(id);
    }
  }

  #schedule(delivery: Delivery): void {
    const at = delivery.nextAttemptAt === null ? 0 : Date.parse(delivery.nextAttemptAt);
    this.#context.clock.schedule(at, async () => {
      // Unless an attempt by hand succeeded meanwhile.
      if (delivery.status === 'pending') await this.#attempt(delivery, false);
    });
  }

  async #attempt(delivery: Delivery, manual: boolean): Promise<void> {
    const { store, variants, closed } = this.#context;
    const at = timestamp(this.#context);
    const startedAt = performance.now();
    const signsNow = manual || variants.signatureTimestamp === 'each-attempt';
    const signature = this.#sign(delivery, signsNow ? at : delivery.createdAt);
    const gone = `not sent: the access ${delivery.accessId} that signs it no longer exists`;
    const { status, error } =
      signature === null
        ? { status: null, error: gone }
        : await post({
            url: delivery.url,
            headers: { ...headers, 'x-service-signature': signature },
            body: delivery.body,
            timeoutMs: this.#timeoutMs,
            signal: closed,
          });
    // The sandbox was closed, or its state replaced, during the attempt.
    if (closed.aborted || store.deliveries.get(delivery.id) !== delivery) return;
    delivery.attempts.push({
      at,
      manual,
      signature,
      status,
      latencyMs: Math.round(performance.now() - startedAt),
      error,
    });
    this.#recordOutcome(delivery, error === null, manual);
    this.#context.changed();
  }

  #recordOutcome(delivery: Delivery, succeeded: boolean, manual: boolean): void {
    if (!succeeded && (manual || delivery.status !== 'pending')) return;
    const attempts = delivery.attempts.filter((attempt) => !attempt.manual).length;
    const interval = succeeded ? undefined : retryIntervals[attempts - 1];
    if (interval === undefined) {
      delivery.status = succeeded ? 'delivered' : 'exhausted';
      delivery.nextAttemptAt = null;
      return;
    }
    delivery.nextAttemptAt = new Date(this.#context.clock.now() + interval).toISOString();
    this.#schedule(delivery);
  }

  /** Null if a restored delivery belongs to an access that is not in the options. */
  #sign(delivery: Delivery, signedAt: string): string | null {
    const access = this.#context.accesses.find(({ id }) => id === delivery.accessId);
    if (!access) return null;
    return signWebhook({
      body: delivery.body,
      secret: access.signingSecret,
      timestamp: Math.floor(Date.parse(signedAt) / 1000),
      scheme: schemeOf(this.#context.variants.signatureScheme),
    });
  }
}
