import { randomUUID } from 'node:crypto';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type EventName, signWebhook } from '@screen-advertising/core';
import type { AssumptionVariants } from '@screen-advertising/core/contract';
import { accessById } from '../access/access.ts';
import { ProblemResponseError, parseWithSchema } from '../http/problem-response-error.ts';
import { signatureSchemeOf } from '../options.ts';
import { logLine } from '../service/journal.ts';
import { type SandboxContext, timestamp } from '../state/context.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  type WebhookRegistration,
  webhookRegistration,
} from '../state/stored-records.ts';

export interface WebhookAddress {
  /** Receives the events. An http or https address. */
  readonly url: string;
  /** ID of the access that owns the events. Default: the first access. */
  readonly access?: string | undefined;
  /** Who receives them, such as the name of a workflow. The pages show it. */
  readonly name?: string | undefined;
}

const addressInput = webhookRegistration.pick({ url: true, name: true });

export type Webhooks = Readonly<ReturnType<typeof createWebhooks>>;

/** The addresses that the Screen Advertising team would register for each access. */
export function createWebhooks({ store, accesses, changed }: SandboxContext) {
  return {
    add({ url, access, name }: WebhookAddress): WebhookRegistration {
      const named = { url, ...(name !== undefined && { name }) };
      parseWithSchema(addressInput, named);
      const accessId = accessById(accesses, access).id;
      const webhook = { id: store.nextId('whk'), accessId, ...named };
      store.webhooks.set(webhook.id, webhook);
      changed();
      return { ...webhook };
    },
    list: (): WebhookRegistration[] =>
      [...store.webhooks.values()].map((webhook) => ({ ...webhook })),
    remove(id: string): void {
      if (!store.webhooks.delete(id)) {
        throw new ProblemResponseError('not-found', `There is no webhook address ${id}.`);
      }
      changed();
    },
  };
}

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
  const scheme = signatureSchemeOf(variants.signatureScheme);
  const timestamp = Math.floor(Date.parse(signedAt) / 1000);
  return signWebhook({ body, secret: access.signingSecret, timestamp, scheme });
}

interface FiredEvent {
  readonly id: string;
  readonly type: EventName;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The raw text of a delivery, shaped by the variants (the contract shows no shape). */
function eventBody(
  { eventName, eventId, eventData }: AssumptionVariants,
  { id, type, createdAt, data }: FiredEvent,
): string {
  const envelope = {
    ...(eventId !== 'absent' && { [eventId]: id }),
    [eventName]: type,
    created_at: createdAt,
  };
  // Flat: the record keeps its ID, as in services that put a record's fields next to the event
  // name.
  return JSON.stringify(
    eventData === 'flat'
      ? { ...envelope, ...data, [eventName]: type }
      : { ...envelope, [eventData]: data },
  );
}

interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A response with another status than 2xx has both. */
type Outcome = Pick<DeliveryAttempt, 'status' | 'error'> & {
  readonly ignored?: string | undefined;
};

/** The connectors' triggers accept an event that starts nothing with its reason in this header. */
const ignoredHeader = 'x-screen-advertising-ignored';

/**
 * Sends one delivery over a new connection, and always resolves. A redirect counts as a response
 * and is never followed.
 */
function post({ url, headers, body, timeoutMs, signal }: Posting): Promise<Outcome> {
  const sent = new Promise<Outcome>((resolve) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const outgoing: ClientRequest = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.any([signal, timeout]),
      },
      (response) => {
        const { statusCode: status = 0 } = response;
        const succeeded = status >= 200 && status < 300;
        const error = succeeded ? null : `responded with status ${status}`;
        const reason = response.headers[ignoredHeader];
        resolve({ status, error, ignored: succeeded && reason ? String(reason) : undefined });
        // Only the status matters. The body is drained so that the receiver can finish.
        response.on('error', () => undefined).resume();
      },
    );
    outgoing.on('error', (error) => {
      const late = `no response within ${timeoutMs} ms`;
      resolve({ status: null, error: timeout.aborted ? late : error.message });
    });
    outgoing.end(body);
  });
  // Node throws synchronously for a URL that it cannot use.
  return sent.catch((error: Error) => ({ status: null, error: error.message }));
}
