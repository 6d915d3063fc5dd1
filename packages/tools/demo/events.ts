import {
  apiKey,
  createClient,
  type EventName,
  events,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import type { PartnerAccess, Sandbox } from '@screen-advertising/sandbox';
import type { Narrator } from './narrator.ts';
import { openReceiver, type ReceivedDelivery } from './receiver.ts';

/** Every event once, received and verified; then one with a manipulated body. */
export async function deliverEvents(
  narrator: Narrator,
  sandbox: Sandbox,
  baseUrl: string,
): Promise<void> {
  const [access] = sandbox.accesses;
  narrator.chapter('Core client: every event, delivered and verified');
  let last: ReceivedDelivery | undefined;
  for (const { name, title } of Object.values(events)) {
    await narrator.step(
      title,
      async () => {
        const data = name === 'coupon.redeemed' ? { code: await newCoupon(baseUrl, access) } : {};
        last = await delivered(sandbox, name, data);
        return verified(access, last);
      },
      ({ type, id }) => `signature valid: ${type}, ${id}`,
    );
  }
  await narrator.step(
    'A tampered delivery',
    async () => refusalOf(access, last),
    (refusal) => `refused: ${refusal.message}`,
  );
}

/** A coupon can be redeemed only if it exists. */
async function newCoupon(baseUrl: string, { apiKey: key }: PartnerAccess): Promise<string> {
  const client = createClient({ baseUrl, auth: apiKey(key), transport: fetchTransport() });
  const lead_email = 'redeemer@example.com';
  const coupon = { discount_type: 'free_days', discount_value: 2, lead_email } as const;
  return String((await client.coupons.create(coupon)).code);
}

type Data = Readonly<Record<string, unknown>>;

/** The delivery of an event, as it arrives. */
export async function delivered(
  sandbox: Sandbox,
  name: EventName,
  data?: Data,
): Promise<ReceivedDelivery> {
  const receiver = await openReceiver();
  try {
    await fire(sandbox, receiver.url, name, data);
    return await receiver.first;
  } finally {
    receiver.close();
  }
}

/** Delivers an event of the service to one address. */
export async function fire(sandbox: Sandbox, url: string, name: EventName, data?: Data) {
  const webhook = sandbox.webhooks.add({ url });
  try {
    await sandbox.fire(name, data);
  } finally {
    sandbox.webhooks.remove(webhook.id);
  }
}

function verified(
  { signingSecret }: PartnerAccess,
  { headers, body }: ReceivedDelivery,
): WebhookEvent {
  return verifyWebhook({
    body,
    signature: String(headers['x-service-signature']),
    secrets: [signingSecret],
  });
}

function refusalOf(
  access: PartnerAccess,
  delivery: ReceivedDelivery | undefined,
): WebhookVerificationError {
  if (!delivery) throw new Error('Nothing was delivered.');
  const body = Buffer.concat([delivery.body, Buffer.from(' ')]);
  try {
    verified(access, { ...delivery, body });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  }
  throw new Error('A tampered delivery was accepted.');
}
