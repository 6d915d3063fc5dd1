import { createHmac } from 'node:crypto';
import { sign as signOctokit } from '@octokit/webhooks-methods';
import { signWebhook } from '@screen-advertising/core';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';

/** One delivery, signed for every verifier as its own service would have signed it. */
export interface Delivery {
  readonly body: Buffer;
  readonly secret: string;
  readonly timestamp: number;
  /** The signature as bytes. */
  readonly digest: Buffer;
  readonly headers: {
    readonly ours: string;
    readonly stripe: string;
    readonly octokit: string;
    readonly bolt: string;
    readonly standard: Record<string, string>;
    readonly svix: Record<string, string>;
  };
}

const secret = `whsec_${Buffer.from('a secret of 32 bytes for signing').toString('base64')}`;

export async function deliveryOf(bytes: number): Promise<Delivery> {
  const text = eventOf(bytes);
  const body = Buffer.from(text);
  const timestamp = Math.floor(Date.now() / 1000);
  const standard = new StandardWebhook(secret).sign('msg_1', new Date(timestamp * 1000), text);
  const bolt = createHmac('sha256', secret).update(`v0:${timestamp}:${text}`).digest('hex');
  const named = (prefix: string) => ({
    [`${prefix}-id`]: 'msg_1',
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: standard,
  });
  return {
    body,
    secret,
    timestamp,
    digest: createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest(),
    headers: {
      ours: signWebhook({ body, secret, timestamp }),
      stripe: Stripe.webhooks.generateTestHeaderString({ payload: text, secret, timestamp }),
      octokit: await signOctokit(secret, text),
      bolt: `v0=${bolt}`,
      standard: named('webhook'),
      svix: named('svix'),
    },
  };
}

/** An event of about that many bytes: a campaign that was paid, with the screens it runs on. */
function eventOf(bytes: number): string {
  const screens: Record<string, unknown>[] = [];
  const data = { campaign_id: 'cmp_4711', paid_at: '2027-03-01T09:00:00Z', screens };
  const event = { id: 'evt_1', object: 'event', type: 'campaign.paid', data };
  for (let length = 0; length < bytes - 250; length += 250) screens.push(screenOf(screens.length));
  return JSON.stringify(event);
}

/** About 250 bytes. */
function screenOf(index: number): Record<string, unknown> {
  return {
    id: `scr_berlin_${String(index).padStart(4, '0')}`,
    name: 'Central station, platform side',
    country: 'DE',
    city: 'Berlin',
    address: `Invalidenstrasse ${index + 1}, Berlin`,
    latitude: 52.5 + index / 1000,
    longitude: 13.37,
    price_per_day_cents: 2250,
    is_active: true,
  };
}
