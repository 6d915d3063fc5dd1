import {
  clientCredentials,
  createClient,
  events,
  type Operation,
  operations,
  verifyWebhook,
  WebhookVerificationError,
} from '@screen-advertising/core';
import { formFields } from '@screen-advertising/core/forms';
import { exampleInput } from '../../../test/support/example-input.ts';
import type { Service } from './narrator.ts';
import { delivered } from './receiver.ts';

/** Calls every operation of the interface, with the examples of the catalogue. */
export async function walkOperations({ narrator, sandbox, baseUrl }: Service): Promise<void> {
  narrator.chapter('Core client: every operation, with client ID and client secret');
  const { clientId, clientSecret } = sandbox.accesses[0];
  const client = createClient({ baseUrl, auth: clientCredentials({ clientId, clientSecret }) });
  const existing: Readonly<Record<string, unknown>> = {
    screenId: sandbox.screens.list()[0]?.id,
    id: sandbox.campaignRequests.list()[0]?.id,
    code: 'WALK-15',
  };
  for (const operation of Object.values<Operation>(operations)) {
    const names = formFields(operation).map(({ name }) => name);
    const known = names.filter((name) => name in existing).map((name) => [name, existing[name]]);
    await narrator.step(
      operation.title,
      () => client.call(operation, { ...exampleInput(operation), ...Object.fromEntries(known) }),
      (record) => JSON.stringify(record),
    );
  }
}

/** Every event once, received and verified; then one with a manipulated body. */
export async function deliverEvents({ narrator, sandbox }: Service): Promise<void> {
  narrator.chapter('Core client: every event, delivered and verified');
  const secrets = [sandbox.accesses[0].signingSecret];
  for (const { name, title } of Object.values(events)) {
    await narrator.step(
      title,
      async () => verifyWebhook({ ...(await delivered(sandbox, name)), secrets }),
      ({ type, id }) => `signature valid: ${type}, ${id}`,
    );
  }
  await narrator.step(
    'A tampered delivery',
    async () => {
      const { body, signature } = await delivered(sandbox, 'campaign.paid');
      try {
        return verifyWebhook({ body: `${body} `, signature, secrets });
      } catch (error) {
        return error;
      }
    },
    (outcome) => {
      if (outcome instanceof WebhookVerificationError) return `refused: ${outcome.message}`;
      throw new Error('It was accepted.');
    },
  );
}
