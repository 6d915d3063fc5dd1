import { accessOf } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { WebhookRegistration } from '../state/stored-records.ts';
import { whatAddressMustBe } from './check-address.ts';

export interface WebhookAddress {
  /** Receives the events. An http or https address. */
  readonly url: string;
  /** ID of the access that owns the events. Default: the first access. */
  readonly access?: string | undefined;
}

/** The addresses that the Screen Advertising team would register for each access. */
export class Webhooks {
  readonly #context: SandboxContext;

  constructor(context: SandboxContext) {
    this.#context = context;
  }

  add({ url, access }: WebhookAddress): WebhookRegistration {
    const { store, changed } = this.#context;
    const expected = whatAddressMustBe(url);
    if (expected) throw new Refusal(400, 'invalid-parameter', `url must be ${expected}.`);
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
      throw new Refusal(404, 'not-found', `There is no webhook address ${id}.`);
    }
    this.#context.changed();
  }
}
