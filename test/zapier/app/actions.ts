import { type Operation, operations } from '@screen-advertising/core';
import { exampleInput } from '../../support/example-input.ts';
import type { ZapierRunner } from './runner.ts';

/** An action that a person can have the app perform. */
export interface Action {
  readonly name: string;
  /** The label of its step in the editor, which errors name. */
  readonly label: string;
  /** The scopes that the access needs for it, as errors name them. */
  readonly scope: string;
  readonly run: (zapier: ZapierRunner) => Promise<unknown>;
}

export const newCoupon = {
  discount_type: 'free_days',
  discount_value: 2,
  lead_email: 'lead@example.com',
};

/** Filters that match every screen: a search requires at least one. */
export const anywhere = { bbox: '-180,-90,180,90' };

const campaignRequests = { scope: 'campaign_requests:read' };

/** Steps that people add on purpose, and that Zaps run again and again. */
const listings: readonly Action[] = [
  {
    name: 'Find Screen',
    label: 'Find Screen',
    scope: 'screens:read',
    run: (zapier) => zapier.search('find_screen', { city: 'Berlin' }),
  },
  {
    name: 'Find Screen by name',
    label: 'Find Screen',
    scope: 'screens:read',
    run: (zapier) => zapier.search('find_screen', { name: 'Central' }),
  },
  {
    name: 'Find Available Screens',
    label: 'Find Available Screens',
    scope: 'screens:read',
    run: (zapier) =>
      zapier.search('find_available_screens', {
        city: 'Berlin',
        from: '2027-03-01',
        to: '2027-03-31',
      }),
  },
  {
    name: 'Find Campaign Request',
    label: 'Find Campaign Request',
    ...campaignRequests,
    run: (zapier) => zapier.search('find_campaign_request', { status: 'rejected' }),
  },
  {
    name: 'New Campaign Request',
    label: 'New Campaign Request',
    ...campaignRequests,
    run: (zapier) => zapier.poll('new_campaign_request'),
  },
  {
    name: 'New Screen',
    label: 'New Screen',
    scope: 'screens:read',
    run: (zapier) => zapier.poll('new_screen'),
  },
  {
    name: 'Campaign Request Status Changed',
    label: 'Campaign Request Status Changed',
    ...campaignRequests,
    run: (zapier) => zapier.poll('campaign_request_status_changed', { status: 'rejected' }),
  },
];

/** These fill the dropdowns of forms. */
const dropdowns: readonly Action[] = [
  {
    name: 'List of Screens',
    label: 'List of Screens',
    scope: 'screens:read',
    run: (zapier) => zapier.poll('screen_list'),
  },
  {
    name: 'List of Countries',
    label: 'List of Countries',
    scope: 'screens:read',
    run: (zapier) => zapier.poll('country_list'),
  },
  {
    name: 'List of Orientations',
    label: 'List of Orientations',
    scope: 'screens:read',
    run: (zapier) => zapier.poll('orientation_list'),
  },
  {
    name: 'List of Campaign Requests',
    label: 'List of Campaign Requests',
    ...campaignRequests,
    run: (zapier) => zapier.poll('campaign_request_list'),
  },
];

/** These look up one existing record, so a 404 is an empty result. */
export const lookups: readonly Action[] = [
  {
    name: 'Find Screen by ID',
    label: 'Find Screen',
    scope: 'screens:read',
    run: (zapier) => zapier.search('find_screen', { screenId: known.screen }),
  },
  {
    name: 'Find Screen Availability',
    label: 'Find Screen Availability',
    scope: 'screens:read',
    run: (zapier) =>
      zapier.search('get_screen_availability', {
        screenId: known.screen,
        from: '2027-03-01',
        to: '2027-03-31',
      }),
  },
  {
    name: 'Find Coupon',
    label: 'Find Coupon',
    scope: 'coupons:read or coupons:write',
    run: (zapier) => zapier.search('find_coupon', { code: known.coupon }),
  },
  {
    name: 'Find Campaign Request by ID',
    label: 'Find Campaign Request',
    scope: 'campaign_requests:read',
    run: (zapier) => zapier.search('find_campaign_request', { id: known.campaignRequest }),
  },
];

/** These read lists. */
export const lists: readonly Action[] = [...listings, ...dropdowns];

export const findUser: Action = {
  name: 'Find User',
  label: 'Find User',
  scope: 'users:read',
  run: (zapier) => zapier.search('find_user', { email: 'lead@example.com' }),
};

export const createCoupon: Action = {
  name: 'Create Coupon',
  label: 'Create Coupon',
  scope: 'coupons:write',
  run: (zapier) =>
    zapier.create('create_coupon', { ...newCoupon, lead_email: 'other@example.com' }),
};

export const revokeCoupon: Action = {
  name: 'Revoke Coupon',
  label: 'Revoke Coupon',
  scope: 'coupons:write',
  run: (zapier) => zapier.create('revoke_coupon', { code: known.coupon }),
};

export const createLandingLink: Action = {
  name: 'Create Landing Link',
  label: 'Create Landing Link',
  scope: 'links:write',
  run: (zapier) => zapier.create('create_landing_link', { fields: { utm_campaign: 'spring' } }),
};

/** These change nothing. */
export const reads: readonly Action[] = [...lists, ...lookups, findUser];

const ownChanges: readonly Action[] = [createCoupon, revokeCoupon, createLandingLink];

/** All other changes, with the examples of the catalogue. */
const otherChanges = Object.values<Operation>(operations)
  .filter(({ method, title }) => {
    return method === 'POST' && !ownChanges.some(({ label }) => label === title);
  })
  .map((operation): Action => {
    const { title, scopes } = operation;
    const key = title.toLowerCase().replaceAll(' ', '_');
    const run = (zapier: ZapierRunner) => zapier.create(key, exampleInput(operation));
    return { name: title, label: title, scope: scopes.join(' or '), run };
  });

export const changes: readonly Action[] = [...ownChanges, ...otherChanges];

const known = { coupon: 'SPRING-25', screen: '', campaignRequest: '' };

/** Actions that need nothing from Zapier's own servers when they succeed. */
export const selfContained: readonly Action[] = [...listings, ...lookups, findUser, ...changes];

/** Creates the records that the actions look for. */
export async function prepareRecords(zapier: ZapierRunner): Promise<void> {
  await zapier.create('create_coupon', { ...newCoupon, code: known.coupon });
  const [screen] = await zapier.search('find_screen', anywhere);
  const [campaignRequest] = await zapier.search('find_campaign_request', { status: 'rejected' });
  known.screen = String(screen?.id);
  known.campaignRequest = String(campaignRequest?.id);
}
