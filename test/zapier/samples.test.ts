import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anywhere } from './app/actions.ts';
import { definitionOf } from './app/definition.ts';
import type { ZapierRunner } from './app/runner.ts';
import { type Service, startService } from './app/service.ts';
import { type Part, visiblePartsOf } from './definition-lint/definition.ts';

let service: Service;
let zapier: ZapierRunner;
beforeAll(async () => {
  service = await startService();
  zapier = await service.connect();
});
afterAll(() => service.close());

const coupon = {
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'lead@example.com',
  code: 'SPRING-25',
  max_redemptions: 1,
  valid_until: '2027-03-31',
  lead_metadata: '{"crm_id":"42"}',
};

const real: Record<string, () => Promise<Record<string, unknown> | undefined>> = {
  'creates.create_coupon': () => zapier.create('create_coupon', coupon),
  'searches.find_coupon': async () => (await zapier.search('find_coupon', coupon))[0],
  'creates.revoke_coupon': () => zapier.create('revoke_coupon', coupon),
  'creates.create_landing_link': () =>
    zapier.create('create_landing_link', { fields: { utm_campaign: 'spring' } }),
  'searches.find_screen': async () => (await zapier.search('find_screen', anywhere))[0],
  'searches.get_screen_availability': async () => {
    const [screen] = await zapier.search('find_screen', anywhere);
    const input = { screenId: screen?.id, from: '2027-03-01', to: '2027-03-31' };
    return (await zapier.search('get_screen_availability', input))[0];
  },
  'searches.find_user': async () => {
    const users = service.sandbox.snapshot().data.users.map(([, user]) => user);
    const referred = users.find(({ referredBy }) => referredBy === 'full');
    return (await zapier.search('find_user', { email: referred?.email }))[0];
  },
  'searches.find_campaign_request': async () => {
    return (await zapier.search('find_campaign_request', { status: 'rejected' }))[0];
  },
  'searches.find_available_screens': async () =>
    (await zapier.search('find_available_screens', { from: '2027-03-01', to: '2027-03-31' }))[0],
  'triggers.screen_availability_changed': async () => {
    const watching = await service.connect();
    const used = (used_sov_pct: number) =>
      service.sandbox.screens.add({ city: 'Linz', id: 'scr_linz', ad_sov_pct: 50, used_sov_pct });
    const poll = () =>
      watching.poll('screen_availability_changed', {
        change: 'rises_above',
        share_pct: 10,
        from: '2027-03-01',
        to: '2027-03-31',
        city: 'Linz',
      });
    used(45);
    await poll();
    used(20);
    return (await poll())[0];
  },
  'triggers.new_campaign_request': async () => (await zapier.poll('new_campaign_request'))[0],
  'triggers.new_screen': async () => (await zapier.poll('new_screen'))[0],
  'triggers.campaign_request_status_changed': async () =>
    (await zapier.poll('campaign_request_status_changed', {}, { isLoadingSample: true }))[0],
};

async function sampleOf(place: string): Promise<Part['operation']['sample']> {
  const [kind, key] = place.split('.') as ['triggers', string];
  return (await definitionOf('public'))[kind][key]?.operation.sample;
}

/** The record's values for the fields of the sample: the service may send other fields too. */
function typesOf(names: readonly string[], record: Readonly<Record<string, unknown>> = {}) {
  return Object.fromEntries(names.map((name) => [name, typeof record[name]]));
}

describe('the fields of a sample really arrive, with values of the same type', () => {
  it('for every trigger, create and search that people see, except the events of a relay', async () => {
    const places = visiblePartsOf(await definitionOf('public'))
      .filter(({ operation }) => operation.type !== 'hook')
      .map(({ place }) => place);
    expect(Object.keys(real).toSorted()).toEqual(places.toSorted());
  });

  it.each(Object.keys(real))('%s', async (place) => {
    const sample = await sampleOf(place);
    const names = Object.keys(sample ?? {});
    expect(typesOf(names, await real[place]?.())).toEqual(typesOf(names, sample));
  });
});
