import { apiKey, createClient, verifyWebhook, type WebhookEvent } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import type { PartnerAccess } from '@screen-advertising/sandbox';
import { type OpenPlatform, type Waiting, wording } from './automation.ts';
import { type Receiver, receive } from './receiver.ts';

/** The automation as a programmer would write it. */
export const openBareClient: OpenPlatform = async (baseUrl, access) => {
  const transport = undiciTransport();
  const client = createClient({ baseUrl, auth: apiKey(access.apiKey), transport });
  const receivers: Receiver<unknown>[] = [];

  async function on<Result>(
    work: (event: WebhookEvent) => Promise<Result>,
  ): Promise<Waiting<Result>> {
    const receiver = await receive(({ headers, body }) => work(verified(access, headers, body)));
    receivers.push(receiver);
    return receiver;
  }

  return {
    name: 'the bare client',
    afterRejection: () =>
      on(async (event) => {
        const user = await client.users.lookup({ email: emailOf(event.data) });
        const { discount_type, discount_value, code } = wording;
        const coupon = await client.coupons.create({
          discount_type,
          discount_value,
          code,
          lead_email: emailOf(event.data),
        });
        return { event: shown(event), user, coupon };
      }),
    afterRedemption: () =>
      on(async (event) => {
        const { utm_campaign } = wording;
        return { event: shown(event), link: await client.landingLinks.create({ utm_campaign }) };
      }),
    async close() {
      for (const receiver of receivers) receiver.close();
      await transport.close();
    },
  };
};

function verified(
  { signingSecret }: PartnerAccess,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
): WebhookEvent {
  return verifyWebhook({
    body,
    signature: String(headers['x-service-signature']),
    secrets: [signingSecret],
  });
}

function shown({ id, type, data }: WebhookEvent) {
  return { id, type, data };
}

function emailOf(data: unknown): string {
  return String((data as { email?: unknown }).email);
}
