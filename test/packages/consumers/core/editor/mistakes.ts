/** What the compiler must say about a mistake, and what it is: a statement of a program. */
export interface Mistake {
  readonly code: string;
  readonly says: readonly string[];
}

/** What a newcomer, or a person used to another SDK, is likely to write. */
export const mistakes: readonly Mistake[] = [
  { code: "client.screens.retrieve('scr_1');", says: ["'retrieve'", "'ScreensApi'"] },
  {
    code: "client.coupons.create({ discount_type: 'percentage', discount_value: 10, lead_email: 'a@b.c' });",
    says: ['"percentage"', '"percent"'],
  },
  {
    code: "client.coupons.create({ discount_type: 'percent', discount_value: 10 });",
    says: ["'lead_email'", "'CouponCreateParams'"],
  },
  { code: "client.coupons.get({ id: 'cpn_1' });", says: ["'id'", "'CouponGetParams'"] },
  { code: "client.screens.get('scr_1');", says: ["'string'", "'ScreenGetParams'"] },
  { code: "client.screens.list({ contry: 'DE' });", says: ["'contry'", "'country'"] },
  {
    code: "(await client.coupons.get({ code: 'A' })).statuss;",
    says: ["'statuss'", "'Coupon'", "'status'"],
  },
  { code: 'client.screens.list({}, { timeout: 5 });', says: ["'timeout'", "'CallOptions'"] },
  {
    code: "createClient({ baseUrl: 'https://a.example', auth: 'svc_1' });",
    says: ["'string'", "'Auth'"],
  },
  {
    code: "if (event.type === 'coupon.redemed') throw new Error();",
    says: ['"coupon.redemed"', 'no overlap'],
  },
  {
    code: "if ((await client.campaignRequests.get({ id: 'cr_1' })).status === 'rejectd') throw new Error();",
    says: ['"rejectd"', 'no overlap'],
  },
  {
    code: "client.landingLinks.create({ utm_campain: 'spring' });",
    says: ['"utm_campain"', 'NotAUtmParameter'],
  },
  {
    code: 'nearby({ near: 42 });',
    says: ["'number'", "'string | Coordinates'"],
  },
  {
    code: "relay.subscribe({ target_url: 'https://a.example', events: ['campaign.payed'] });",
    says: ['"campaign.payed"', '"campaign.paid"'],
  },
];

/** A program with one mistake. */
export const programWith = ({ code }: Mistake): string => `
import { apiKey, createClient, type WebhookEvent } from '@screen-advertising/core';
import { findNearbyScreens } from '@screen-advertising/core/availability';
import { createRelayClient } from '@screen-advertising/core/relay';

export const client = createClient({ baseUrl: 'https://a.example', auth: apiKey('svc_1') });
export const relay = createRelayClient({ baseUrl: 'https://a.example', connectorKey: 'rly_1' });
export declare const event: WebhookEvent;
export const nearby = (input: Parameters<typeof findNearbyScreens>[1]) =>
  findNearbyScreens(client, input);
${code}
`;
