import type { Snapshot } from '@screen-advertising/sandbox';
import { inspectorPaths } from '../inspector/support.ts';

type Asked = readonly [method: string, path: string, body?: unknown];

/** Every route of the service and the admin API, and every page, for the records of a state. */
export function everyRequest({ data }: Snapshot): Asked[] {
  const key = (entries: readonly (readonly [string, unknown])[]) =>
    encodeURIComponent(entries[0]?.[0].toWellFormed() ?? 'none');
  const [screen, coupon, delivery] = [key(data.screens), key(data.coupons), key(data.deliveries)];
  const request = key(data.campaignRequests);
  const user = data.users[0]?.[1];
  const lead = { discount_type: 'percent', discount_value: 5, lead_email: 'new@example.com' };
  const city = encodeURIComponent(String(data.screens[0]?.[1].city).toWellFormed());
  return [
    ['POST', '/api/v1/oauth/token', { client_id: 'sandbox-full', client_secret: 'wrong' }],
    ['GET', `/api/v1/screens?limit=1&city=${city}`],
    ['GET', '/api/v1/screens?bbox=-180,-90,180,90'],
    ['GET', `/api/v1/screens/${screen}`],
    ['GET', `/api/v1/screens/${screen}/availability?from=2027-03-01&to=2027-03-02`],
    ['GET', `/thumbnails/${screen}.svg`],
    ['GET', '/landing?utm_source=full'],
    ['GET', `/api/v1/coupons/${coupon}`],
    ['POST', '/api/v1/coupons', lead],
    ['POST', `/api/v1/coupons/${coupon}/revoke`, {}],
    ['GET', `/api/v1/users/lookup?email=${encodeURIComponent(String(user?.email).toWellFormed())}`],
    ['GET', '/api/v1/users/lookup?vat_uid=DE123456789'],
    ['POST', '/api/v1/landing-links', { utm_campaign: 'spring' }],
    ['GET', '/api/v1/campaign-requests?status=rejected&from=2020-01-01&to=2030-01-01'],
    ['GET', '/api/v1/campaign-requests?industry=retail'],
    ['GET', `/api/v1/campaign-requests/${request}`],
    ...inspectorPaths.map((path) => ['GET', path] as const),
    ['GET', `/inspector/screens?city=${city}&page=2`],
    ['GET', '/_sandbox'],
    ['GET', '/_sandbox/openapi.json'],
    ...['accesses', 'clock', 'webhooks', 'deliveries', 'faults'].map(administered),
    ...['screens', 'users', 'campaign-requests', 'coupons', 'state'].map(administered),
    ['POST', '/_sandbox/screens', { id: data.screens[0]?.[0], used_sov_pct: 3 }],
    ['POST', '/_sandbox/screens', {}],
    ['POST', '/_sandbox/users', {}],
    ['POST', '/_sandbox/campaign-requests', {}],
    ['POST', '/_sandbox/webhooks', { url: 'http://127.0.0.1:1/more', access: 'second' }],
    ['POST', '/_sandbox/events', { type: 'user.registered', data: { email: 'n@example.com' } }],
    ['POST', '/_sandbox/events', { type: 'campaign.paid' }],
    ['POST', '/_sandbox/events', { type: 'campaign_request.rejected', access: 'second' }],
    ['POST', '/_sandbox/events', { type: 'coupon.redeemed' }],
    ['POST', `/_sandbox/coupons/${coupon}/redeem`],
    ['POST', `/_sandbox/deliveries/${delivery}/redeliver`],
    ['POST', '/_sandbox/clock/advance', { ms: 3_000 }],
    ['POST', '/_sandbox/clock/freeze'],
    ['POST', '/_sandbox/clock/advance', { ms: 31_622_400_000 }],
    ['POST', '/_sandbox/clock/run'],
    ['POST', '/_sandbox/clock/freeze'],
    ['GET', '/inspector/events'],
    ['GET', '/inspector/coupons'],
  ];
}

const administered = (name: string): Asked => ['GET', `/_sandbox/${name}`];
