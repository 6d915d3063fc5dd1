import type { EventName } from '@screen-advertising/core';
import { asRawRequest } from '../zapier/app/raw-request.ts';
import { createZapierRunner } from '../zapier/app/runner.ts';
import { type OpenPlatform, startedBy, type Waiting, wording } from './automation.ts';
import { type Receiver, receive } from './receiver.ts';

interface EventRecord {
  readonly data: { readonly email?: string };
}

/** The automation as two Zaps on Zapier's own core. */
export const openZapier: OpenPlatform = async (baseUrl, access) => {
  const { clientId, clientSecret, signingSecret } = access;
  const runner = createZapierRunner({
    baseUrl,
    credentials: { clientId, clientSecret },
    fields: { signing_secret: signingSecret },
  });
  await runner.connect();
  const receivers: Receiver<unknown>[] = [];

  /** A Zap that a webhook starts. */
  async function on<Result>(
    event: EventName,
    work: (record: EventRecord) => Promise<Result>,
  ): Promise<Waiting<Result>> {
    const receiver = await receive(async (delivery) => {
      const [record] = await runner.hook(
        event.replaceAll('.', '_'),
        asRawRequest(delivery.headers, delivery.body),
      );
      return work(record as unknown as EventRecord);
    });
    receivers.push(receiver);
    return receiver;
  }

  return {
    name: 'Zapier',
    afterRejection: () =>
      on(startedBy.rejection, async (event) => {
        const [user] = await runner.search('find_user', { email: event.data.email });
        const { discount_type, discount_value, code } = wording;
        const coupon = await runner.create('create_coupon', {
          discount_type,
          discount_value,
          code,
          lead_email: event.data.email,
        });
        return { event, user, coupon };
      }),
    afterRedemption: () =>
      on(startedBy.redemption, async (event) => {
        const { utm_campaign } = wording;
        const link = await runner.create('create_landing_link', { fields: { utm_campaign } });
        return { event, link };
      }),
    async close() {
      for (const receiver of receivers) receiver.close();
    },
  };
};
