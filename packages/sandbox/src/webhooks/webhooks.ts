import { accessOf } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';
import { check } from '../problems/check.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import { type WebhookRegistration, webhookRegistration } from '../state/stored-records.ts';

export interface WebhookAddress {
  /** Receives the events. An http or https address. */
  readonly url: string;
  /** ID of the access that owns the events. Default: the first access. */
  readonly access?: string | undefined;
}

const addressInput = webhookRegistration.pick({ url: true });

/** The addresses that the Screen Advertising team would register for each access. */
export class Webhooks {
  readonly #context: SandboxContext;

  constructor(context: SandboxContext) {
    this.#context = context;
  }

  add({ url, access }: WebhookAddress): WebhookRegistration {
    const { store, changed } = this.#context;
    check(addressInput, { url });
    const webhook = {
      id: store.nextId('whk'),
      accessId: accessOf(this.#context.accesses, access).id,
      url,
    };
    store.webhooks.set(webhook.id, webhook);
    changed();
    return { ...webhook };
  }

  list(): WebhookRegistration[] {
    return [...this.#context.store.webhooks.values()].map((webhook) => ({ ...webhook }));
  }

  remove(id: string): void {
    if (!this.#context.store.webhooks.delete(id)) {
      throw new ProblemResponseError('not-found', `There is no webhook address ${id}.`);
    }
    this.#context.changed();
  }
}
