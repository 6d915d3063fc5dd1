import type { OperationName } from '@screen-advertising/core';
import { Random } from '../random.ts';
import { availabilityOf } from '../routes/availability.ts';
import { screenRecord } from '../routes/screens.ts';
import { makeScreen } from '../seed/make-screens.ts';

const exampleSeed = 1;
const stored = makeScreen(new Random(exampleSeed), 1);
const screen = screenRecord(stored, 'http://127.0.0.1:8787');

const coupon = {
  code: 'SPRING-25',
  status: 'active',
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'lead@example.com',
  max_redemptions: 1,
  valid_until: '2027-03-31',
  lead_metadata: { crm_id: '42' },
  redemptions: 0,
  created_at: '2027-03-01T09:00:00.000Z',
  redeemed_at: null,
  revoked_at: null,
};

const campaignRequest = {
  id: 'cr_0001',
  status: 'rejected',
  industry: 'retail',
  email: 'lead@example.com',
  created_at: '2027-03-01T10:00:00.000Z',
  updated_at: '2027-03-01T16:00:00.000Z',
};

const lastPage = { cursor: null, has_more: false, total_count: 1 };

/** What each operation answers, as the sandbox writes it. */
export const answerExamples: Record<OperationName, unknown> = {
  'screen.list': { data: [screen], pagination: lastPage },
  'screen.get': screen,
  'screen.availability': availabilityOf(stored, '2027-03-01', '2027-03-31'),
  'coupon.create': coupon,
  'coupon.get': coupon,
  'coupon.revoke': { ...coupon, status: 'revoked', revoked_at: '2027-03-02T09:00:00.000Z' },
  'user.lookup': {
    data: {
      exists: true,
      user_id: 'usr_0001',
      registered_at: '2027-03-01T09:30:00.000Z',
      has_bookings: true,
      attribution: { referred: true, referred_at: '2027-03-01T09:30:00.000Z' },
    },
  },
  'landingLink.create': {
    id: 'lnk_0001',
    url: 'http://127.0.0.1:8787/landing?utm_source=full&utm_campaign=spring&utm_medium=partner_api',
    created_at: '2027-03-01T09:00:00.000Z',
  },
  'campaignRequest.list': { data: [campaignRequest], pagination: lastPage },
  'campaignRequest.get': campaignRequest,
};

/** The body of each operation that takes one. */
export const bodyExamples: Partial<Record<OperationName, unknown>> = {
  'coupon.create': {
    discount_type: 'percent',
    discount_value: 25,
    lead_email: 'lead@example.com',
    code: 'SPRING-25',
    valid_until: '2027-03-31',
    lead_metadata: { crm_id: '42' },
  },
  'landingLink.create': { utm_campaign: 'spring' },
};

export const tokenExample = {
  access_token: '<ACCESS_TOKEN>',
  token_type: 'bearer',
  expires_in: 3600,
  scope: 'screens:read',
};

export const tokenRequestExample = {
  client_id: '<CLIENT_ID>',
  client_secret: '<CLIENT_SECRET>',
};
