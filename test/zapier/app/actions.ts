import { beforeEach, jest } from '@jest/globals';
import { type Operation, operations } from '@screen-advertising/core';
import { exampleInput } from '../../support/example-input.ts';
import { type Fault, started } from './use-service.ts';
import { readZapierError, startService, type ZapierRunner } from './zapier.ts';

/** An action that a person can have the app perform. */
export interface Action {
  readonly name: string;
  /** The label of its step in the editor, which errors name. */
  readonly label: string;
  /** The scopes that the access needs for it, as errors name them. */
  readonly scope: string;
  readonly run: (zapier: ZapierRunner) => Promise<unknown>;
}

type Fields = Readonly<Record<string, unknown>>;

export const newCoupon = {
  discount_type: 'free_days',
  discount_value: 2,
  lead_email: 'lead@example.com',
};

const [screens, coupons, requests] = [
  'screens:read',
  'coupons:read or coupons:write',
  'campaign_requests:read',
];
const march = { from: '2027-03-01', to: '2027-03-31' };
const keyOf = (label: string): string => label.toLowerCase().replaceAll(' ', '_');

/** A step; `detail` makes its name differ from others of the same label. */
function action(
  kind: 'search' | 'poll' | 'create',
  label: string,
  scope: string,
  input: () => Fields = () => ({}),
  { key = keyOf(label), detail = '' } = {},
): Action {
  return { name: `${label}${detail}`, label, scope, run: (zapier) => zapier[kind](key, input()) };
}

/** Steps that people add on purpose, and that Zaps run again and again. */
const listings: readonly Action[] = [
  action('search', 'Find Screen', screens, () => ({ city: 'Berlin' })),
  action('search', 'Find Screen', screens, () => ({ name: 'Central' }), { detail: ' by name' }),
  action('search', 'Find Available Screens', screens, () => ({ city: 'Berlin', ...march })),
  action('search', 'Find Campaign Request', requests, () => ({ status: 'rejected' })),
  action('poll', 'New Campaign Request', requests),
  action('poll', 'New Screen', screens),
  action('poll', 'Campaign Request Status Changed', requests, () => ({ status: 'rejected' })),
];

/** The last two are in every sandbox. */
const known = { coupon: 'SPRING-25', screen: 'scr_berlin_0001', campaignRequest: 'cr_0001' };
const byId = { detail: ' by ID' };

/** These look up one existing record, so a 404 is an empty result. */
const lookups: readonly Action[] = [
  action('search', 'Find Screen', screens, () => ({ screen_id: known.screen }), byId),
  action('search', 'Find Screen Availability', screens, () => ({
    screen_id: known.screen,
    ...march,
  })),
  action('search', 'Find Coupon', coupons, () => ({ code: known.coupon })),
  action('search', 'Find Campaign Request', requests, () => ({ id: known.campaignRequest }), byId),
];

export const findUser = action('search', 'Find User', 'users:read', () => ({
  email: 'lead@example.com',
}));

export const createCoupon = action('create', 'Create Coupon', 'coupons:write', () => ({
  ...newCoupon,
  lead_email: 'other@example.com',
}));

export const revokeCoupon = action('create', 'Revoke Coupon', 'coupons:write', () => ({
  code: known.coupon,
}));

export const createLandingLink = action('create', 'Create Landing Link', 'links:write', () => ({
  utm_campaign: 'spring',
}));

const ownChanges: readonly Action[] = [createCoupon, revokeCoupon, createLandingLink];

/** All other changes, with the examples of the catalogue. */
const otherChanges = Object.values<Operation>(operations)
  .filter(({ method, title }) => {
    return method === 'POST' && !ownChanges.some(({ label }) => label === title);
  })
  .map((operation) =>
    action('create', operation.title, operation.scopes.join(' or '), () => exampleInput(operation)),
  );

const changes: readonly Action[] = [...ownChanges, ...otherChanges];

/** Actions that need nothing from Zapier's own servers when they succeed. */
export const selfContained: readonly Action[] = [...listings, ...lookups, findUser, ...changes];

/** Creates the coupon that the actions look for. */
export async function prepareRecords(zapier: ZapierRunner): Promise<void> {
  await zapier.create('create_coupon', { ...newCoupon, code: known.coupon });
}

/** A sandbox with the records that all actions look for, new before each test, and a connection. */
export function useActions() {
  const get = started(
    async () => {
      const service = await startService();
      return { service, zapier: await service.connect() };
    },
    ({ service }) => service.close(),
  );
  beforeEach(async () => {
    get().service.sandbox.reset();
    await prepareRecords(get().zapier);
    // Retries of reads wait for a random time; here they do not wait.
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  return {
    service: () => get().service,
    zapier: () => get().zapier,
    /** The result of an action during the fault, or the error as Zapier reads it. */
    async struck(fault: Fault, { run }: Action): Promise<unknown> {
      const { service, zapier } = get();
      service.sandbox.faults.add(fault);
      try {
        return await run(zapier).catch(readZapierError);
      } finally {
        service.sandbox.faults.clear();
      }
    },
  };
}
