import { events } from '@screen-advertising/core';
import { newCoupon } from '../../zapier/app/actions.ts';
import type { ZapierRunner } from '../../zapier/app/runner.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A value that a user fills in or maps, and that the step cannot send. */
export interface Mistake {
  readonly step: string;
  readonly what: string;
  readonly run: (zapier: ZapierRunner) => Promise<unknown>;
}

type Kind = 'create' | 'search' | 'poll';

const of = (kind: Kind, key: string, step: string, mistakes: Readonly<Record<string, Fields>>) =>
  Object.entries(mistakes).map(
    ([what, input]): Mistake => ({ step, what, run: (zapier) => zapier[kind](key, input) }),
  );

const march = { from: '2027-03-01', to: '2027-03-31' };
const watch = { ...march, change: 'either', share_pct: 10 };

export const mistakes: readonly Mistake[] = [
  ...of('create', 'create_coupon', 'Create Coupon', {
    'Nothing is filled in': {},
    'A value with a unit': { ...newCoupon, discount_value: '25 EUR' },
    'A thousands separator': { ...newCoupon, discount_value: '1,000' },
    'More than 100 percent': { ...newCoupon, discount_type: 'percent', discount_value: 101 },
    'A fraction of a cent': { ...newCoupon, discount_type: 'amount_cents', discount_value: 10.505 },
    'A discount of 0': { ...newCoupon, discount_value: 0 },
    'An unknown choice': { ...newCoupon, discount_type: 'half' },
    'An invalid email address': { ...newCoupon, lead_email: 'lead' },
    'Too many redemptions': { ...newCoupon, max_redemptions: 1001 },
    'Half of a JSON object': { ...newCoupon, lead_metadata: '{"crm_id": 42' },
  }),
  ...of('create', 'revoke_coupon', 'Revoke Coupon', { 'Nothing is filled in': {} }),
  ...of('search', 'find_screen', 'Find Screen', {
    'Nothing is filled in': {},
    'A country that does not exist': { country: 'Atlantis' },
  }),
  ...of('search', 'find_available_screens', 'Find Available Screens', {
    'Nothing is filled in': {},
    'Dates and days': { ...march, next_days: 14 },
    'Days with a unit': { next_days: '2 weeks' },
    'A period that ends before it starts': { from: '2027-03-31', to: '2027-03-01' },
    'A share above 100': { ...march, min_available_sov_pct: 101 },
    'A budget with a currency': { ...march, budget_cents: '€ 4000' },
  }),
  ...of('search', 'get_screen_availability', 'Find Screen Availability', {
    'Nothing is filled in': {},
    'Dates and days': { ...march, screenId: 'scr_1', next_days: 14 },
    'A date that can mean two days': { ...march, screenId: 'scr_1', from: '01/03/2027' },
  }),
  ...of('search', 'find_user', 'Find User', {
    'Nothing is filled in': {},
    'Both are filled in': { email: 'lead@example.com', vat_uid: 'DE123456789' },
    'A number that lost digits': { vat_uid: 2 ** 60 },
  }),
  ...of('search', 'find_coupon', 'Find Coupon', { 'Nothing is filled in': {} }),
  ...of('search', 'find_campaign_request', 'Find Campaign Request', {
    'Nothing is filled in': {},
    'An unknown status': { status: 'open' },
  }),
  ...of('poll', 'campaign_request_status_changed', 'Campaign Request Status Changed', {
    'An unknown status': { status: 'open' },
  }),
  ...of('poll', 'screen_availability_changed', 'Screen Availability Changed', {
    'Nothing is filled in': {},
    'A share above 100': { ...watch, share_pct: 101 },
    'A share that nothing can rise above': { ...watch, change: 'rises_above', share_pct: 100 },
  }),
  ...Object.values(events).map(({ name, title }) => ({
    step: title,
    what: 'The connection has no relay',
    run: (zapier: ZapierRunner) =>
      zapier.run(`triggers.${name.replaceAll('.', '_')}.operation.performSubscribe`),
  })),
];
