import { randomUUID } from 'node:crypto';
import { type EventName, signWebhook } from '@screen-advertising/core';
import { type SandboxContext, timestamp } from '../context.ts';
import { logLine } from '../journal/journal.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import type { Delivery } from '../state/stored-records.ts';
import { eventBody } from './event-body.ts';
import { post } from './post.ts';
import { schemeOf } from './scheme-of.ts';

/** Milliseconds before each retry (section 6). After the last one, a delivery is exhausted. */
const retryIntervals: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

/** Older deliveries are dropped. */
const maxDeliveries = 1000;

/** Sends signed events to the addresses of an access, and retries failed deliveries (section 6). */
export class Deliveries {
  readonly #context: SandboxContext;
  readonly #timeoutMs: number;

  constructor(context: SandboxContext, timeoutMs = 10_000) {
    this.#context = context;
    this.#timeoutMs = timeoutMs;
  }

  /** Creates one delivery per address of the access. Resolves after the first attempts. */
  async send(
    accessId: string,
    event: EventName,
    data: Readonly<Record<string, unknown>>,
  ): Promise<Delivery[]> {
    const { store, clock, variants } = this.#context;
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
    for (const delivery of deliveries) add(store.deliveries, delivery);
    await Promise.all(deliveries.map((delivery) => clock.track(this.#attempt(delivery, false))));
    return structuredClone(deliveries);
  }

  list(): Delivery[] {
    return structuredClone([...this.#context.store.deliveries.values()]);
  }

  /** Makes one more attempt by hand, now, outside the schedule. */
  async redeliver(id: string): Promise<Delivery> {
    const { store, clock } = this.#context;
    const delivery = store.deliveries.get(id);
    if (!delivery) throw new ProblemResponseError('not-found', `There is no delivery ${id}.`);
    await clock.track(this.#attempt(delivery, true));
    return structuredClone(delivery);
  }

  /** Schedules the pending retries of a restored state. */
  resume(): void {
    for (const delivery of this.#context.store.deliveries.values()) {
      if (delivery.status === 'pending') this.#schedule(delivery);
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
    const { store, variants, closed, changed, log } = this.#context;
    const at = timestamp(this.#context);
    const startedAt = performance.now();
    const signsNow = manual || variants.signatureTimestamp === 'each-attempt';
    const signature = sign(this.#context, delivery, signsNow ? at : delivery.createdAt);
    const gone = `not sent: the access ${delivery.accessId} that signs it no longer exists`;
    const { status, error, ignored } =
      signature === null
        ? { status: null, error: gone, ignored: undefined }
        : await this.#post(delivery, signature);
    // The sandbox was closed, or its state replaced, during the attempt.
    if (closed.aborted || store.deliveries.get(delivery.id) !== delivery) return;
    const latencyMs = Math.round(performance.now() - startedAt);
    delivery.attempts.push({
      at,
      manual,
      signature,
      status,
      latencyMs,
      error,
      ...(ignored !== undefined && { ignored }),
    });
    log(
      logLine(
        at,
        `${error ?? (ignored ? 'ignored' : status)}  ${delivery.event} to ${delivery.url}`,
      ),
    );
    this.#recordOutcome(delivery, error === null, manual);
    changed();
  }

  #post({ url, body }: Delivery, signature: string): ReturnType<typeof post> {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'screen-advertising-sandbox',
      'x-service-signature': signature,
    };
    const { closed: signal } = this.#context;
    return post({ url, headers, body, timeoutMs: this.#timeoutMs, signal });
  }

  #recordOutcome(delivery: Delivery, succeeded: boolean, manual: boolean): void {
    if (!succeeded && (manual || delivery.status !== 'pending')) return;
    const attempts = delivery.attempts.filter((other) => !other.manual).length;
    const interval = succeeded ? undefined : retryIntervals[attempts - 1];
    if (interval === undefined) {
      delivery.status = succeeded ? 'delivered' : 'exhausted';
      delivery.nextAttemptAt = null;
      return;
    }
    delivery.nextAttemptAt = new Date(this.#context.clock.now() + interval).toISOString();
    this.#schedule(delivery);
  }
}

function add(deliveries: Map<string, Delivery>, added: Delivery): void {
  deliveries.set(added.id, added);
  for (const [id, { status }] of deliveries) {
    if (deliveries.size <= maxDeliveries) return;
    if (status !== 'pending') deliveries.delete(id);
  }
}

/** Null if a restored delivery belongs to an access that is not in the options. */
function sign(
  { accesses, variants }: SandboxContext,
  { accessId, body }: Delivery,
  signedAt: string,
): string | null {
  const access = accesses.find(({ id }) => id === accessId);
  if (!access) return null;
  const scheme = schemeOf(variants.signatureScheme);
  const timestamp = Math.floor(Date.parse(signedAt) / 1000);
  return signWebhook({ body, secret: access.signingSecret, timestamp, scheme });
}
