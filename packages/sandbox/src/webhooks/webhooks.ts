import { accessOf } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';
import { check, ProblemResponseError } from '../problems/problem-response-error.ts';
import { type WebhookRegistration, webhookRegistration } from '../state/stored-records.ts';

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
      check(addressInput, named);
      const accessId = accessOf(accesses, access).id;
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
