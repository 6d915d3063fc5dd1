import { type Client, operations } from '@screen-advertising/core';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { INodeParameters } from 'n8n-workflow';
import type { ZapierRunner } from '../../zapier/app/runner.ts';

/** What a task leaves behind in the service. */
type Change = 'nothing' | 'a coupon with a code' | 'a coupon' | 'a revocation' | 'a link';

/** One thing that people do, on every platform. */
export interface Task {
  readonly name: string;
  readonly change: Change;
  readonly answer: 'record' | 'page' | 'list';
  /** Which requests are its own. */
  readonly route: { readonly method: string; readonly path: RegExp };
  readonly core: (client: Client) => Promise<unknown>;
  readonly n8n: INodeParameters;
  readonly zapier: (runner: ZapierRunner) => Promise<unknown>;
  /** Top-level fields of the record that the right response holds. */
  readonly right: Readonly<Record<string, unknown>>;
  /** How often the service did it; 0 for what changes nothing. */
  readonly applied: (sandbox: Sandbox) => number;
}

export const known = {
  screen: 'scr_hostile',
  coupon: 'KNOWN-1',
  request: 'cr_hostile',
  email: 'hostile@example.com',
  otherEmail: 'other@example.com',
  code: 'OWN-1',
  links: 'lnk',
} as const;

const newCoupon = {
  discount_type: 'free_days',
  discount_value: 3,
  lead_email: known.otherEmail,
} as const;
const id = (value: string) => ({ __rl: true, mode: 'id', value });
const none = () => 0;

const couponsOfTheOther = (sandbox: Sandbox): number =>
  sandbox.coupons.list().filter(({ lead_email }) => lead_email === known.otherEmail).length;

const links = (sandbox: Sandbox): number => sandbox.snapshot().data.counters[known.links] ?? 0;

/** One for each kind of request: those of the other operations are read and retried alike. */
export const tasks: readonly Task[] = [
  {
    name: 'list screens',
    change: 'nothing',
    answer: 'page',
    route: { method: 'GET', path: /^\/screens(\?|$)/ },
    core: (client) => client.screens.list({ country: 'ZZ' }),
    n8n: { resource: 'screen', operation: 'getAll', filters: { country: 'ZZ' } },
    zapier: (runner) => runner.search('find_screen', { country: 'ZZ' }),
    right: { id: known.screen },
    applied: none,
  },
  {
    name: 'get a screen',
    change: 'nothing',
    answer: 'record',
    route: { method: 'GET', path: /^\/screens\/[^/]+$/ },
    core: (client) => client.screens.get({ screenId: known.screen }),
    n8n: { resource: 'screen', operation: 'get', screenId: id(known.screen) },
    zapier: (runner) => runner.search('find_screen', { screenId: known.screen }),
    right: { id: known.screen },
    applied: none,
  },
  {
    name: 'create a coupon with a code',
    change: 'a coupon with a code',
    answer: 'record',
    route: { method: 'POST', path: /^\/coupons$/ },
    core: (client) => client.coupons.create({ ...newCoupon, code: known.code }),
    n8n: {
      resource: 'coupon',
      operation: 'create',
      ...newCoupon,
      additionalFields: { code: known.code },
    },
    zapier: (runner) => runner.create('create_coupon', { ...newCoupon, code: known.code }),
    right: { code: known.code, lead_email: known.otherEmail, status: 'active' },
    applied: couponsOfTheOther,
  },
  {
    name: 'create a coupon without a code',
    change: 'a coupon',
    answer: 'record',
    route: { method: 'POST', path: /^\/coupons$/ },
    core: (client) => client.coupons.create(newCoupon),
    n8n: { resource: 'coupon', operation: 'create', ...newCoupon },
    zapier: (runner) => runner.create('create_coupon', newCoupon),
    right: { lead_email: known.otherEmail, status: 'active' },
    applied: couponsOfTheOther,
  },
  {
    name: 'revoke a coupon',
    change: 'a revocation',
    answer: 'record',
    route: { method: 'POST', path: /^\/coupons\/[^/]+\/revoke$/ },
    core: (client) => client.coupons.revoke({ code: known.coupon }),
    n8n: { resource: 'coupon', operation: 'revoke', code: known.coupon },
    zapier: (runner) => runner.create('revoke_coupon', { code: known.coupon }),
    right: { code: known.coupon },
    applied: (sandbox) =>
      sandbox.coupons.list().filter(({ revoked_at }) => revoked_at !== null).length,
  },
  {
    name: 'look up a user',
    change: 'nothing',
    answer: 'record',
    route: { method: 'GET', path: /^\/users\/lookup/ },
    core: (client) => client.users.lookup({ email: known.email }),
    n8n: { resource: 'user', operation: 'lookUp', email: known.email },
    zapier: (runner) => runner.search('find_user', { email: known.email }),
    right: { exists: true, user_id: 'usr_hostile' },
    applied: none,
  },
  {
    name: 'create a landing link',
    change: 'a link',
    answer: 'record',
    route: { method: 'POST', path: /^\/landing-links$/ },
    core: (client) => client.landingLinks.create({ utm_campaign: 'spring' }),
    n8n: {
      resource: 'landingLink',
      operation: 'create',
      fields: { field: [{ name: 'utm_campaign', value: 'spring' }] },
    },
    zapier: (runner) =>
      runner.create('create_landing_link', { fields: { utm_campaign: 'spring' } }),
    right: { id: 'lnk_0001' },
    applied: links,
  },
  {
    name: 'list campaign requests',
    change: 'nothing',
    answer: 'list',
    route: { method: 'GET', path: /^\/campaign-requests(\?|$)/ },
    core: (client) => client.call(operations['campaignRequest.list'], { industry: 'hostile' }),
    n8n: { resource: 'campaignRequest', operation: 'getAll', filters: { industry: 'hostile' } },
    zapier: (runner) => runner.search('find_campaign_request', { industry: 'hostile' }),
    right: { id: known.request },
    applied: none,
  },
];
