import { accessOf } from '../accesses/access-of.ts';
import type { SandboxContext } from '../context.ts';
import { Refusal } from '../http/refusal.ts';
import type { WebhookRegistration } from '../state/records.ts';

export interface WebhookAddress {
  /** Where the events go: an http or https address. */
  readonly url: string;
  /** Id of the access whose events they are; the first access unless told. */
  readonly access?: string | undefined;
}

/** The addresses that the administration of the service would keep for each access. */
export class Webhooks {
  readonly #context: SandboxContext;

  constructor(context: SandboxContext) {
    this.#context = context;
  }

  add({ url, access }: WebhookAddress): WebhookRegistration {
    const { store, changed } = this.#context;
    checkAddress(url);
    const webhook = { id: store.nextId('whk'), accessId: accessOf(this.#context, access).id, url };
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

function checkAddress(url: string): void {
  const address = URL.parse(url);
  if (!address || !['http:', 'https:'].includes(address.protocol)) {
    throw invalidUrl('an http or https address such as http://127.0.0.1:5678/webhook/demo.');
  }
  if (!canBeDecoded(address.username) || !canBeDecoded(address.password)) {
    throw invalidUrl('an address whose user name and password write a percent sign as %25.');
  }
}

/** Node decodes both before it sends them. */
function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function invalidUrl(expected: string): Refusal {
  return new Refusal(400, 'invalid-parameter', `url must be ${expected}`);
}
