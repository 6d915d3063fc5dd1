import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anywhere } from './app/actions.ts';
import { definitionOf } from './app/definition.ts';
import type { ZapierRunner } from './app/runner.ts';
import { type Service, startService } from './app/service.ts';
import { inputFieldsOf, type PlacedPart, visiblePartsOf } from './definition-lint/definition.ts';

let service: Service;
let zapier: ZapierRunner;
beforeAll(async () => {
  service = await startService();
  zapier = await service.connect();
});
afterAll(() => service.close());

/** Steps for which examples in the fields of their form are not enough. */
const real: Record<string, () => Promise<Record<string, unknown> | undefined>> = {
  'creates.create_landing_link': () =>
    zapier.create('create_landing_link', { fields: { utm_campaign: 'spring' } }),
  'searches.find_user': async () => {
    const users = service.sandbox.snapshot().data.users.map(([, user]) => user);
    const referred = users.find(({ referredBy }) => referredBy === 'full');
    return (await zapier.search('find_user', { email: referred?.email }))[0];
  },
  'searches.find_campaign_request': async () => {
    return (await zapier.search('find_campaign_request', { status: 'rejected' }))[0];
  },
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
  'triggers.campaign_request_status_changed': async () =>
    (await zapier.poll('campaign_request_status_changed', {}, { isLoadingSample: true }))[0],
};

/** What people write in a field, and where they take the ID of a record from. */
const examples: Readonly<Record<string, () => Promise<unknown>>> = {
  screenId: async () => (await zapier.search('find_screen', anywhere))[0]?.id,
  from: async () => '2027-03-01',
  to: async () => '2027-03-31',
};

/** Runs a step: a create with every field that has an example, a search with those it needs. */
async function runFrom(part: PlacedPart): Promise<Record<string, unknown> | undefined> {
  const inputData: Record<string, unknown> = {};
  for (const { key, placeholder, choices, required } of inputFieldsOf(part)) {
    const [choice] = (choices ?? []) as { value: string }[];
    const isNeeded = part.kind === 'creates' || required === true || key in examples;
    if (isNeeded) inputData[key] = (await examples[key]?.()) ?? choice?.value ?? placeholder;
  }
  if (part.kind === 'creates') return zapier.create(part.key, inputData);
  if (part.kind === 'triggers') return (await zapier.poll(part.key))[0];
  return (await zapier.search(part.key, inputData))[0];
}

/** The record's values for the fields of the sample: the service may send other fields too. */
function typesOf(names: readonly string[], record: Readonly<Record<string, unknown>> = {}) {
  return Object.fromEntries(names.map((name) => [name, typeof record[name]]));
}

describe('what a step returns', () => {
  const records: Record<string, Record<string, unknown> | undefined> = {};
  let steps: PlacedPart[];
  beforeAll(async () => {
    const parts = visiblePartsOf(await definitionOf('public'));
    steps = parts.filter(({ operation }) => operation.type !== 'hook');
    for (const part of steps) {
      records[part.place] = await (real[part.place] ?? (() => runFrom(part)))();
    }
  });

  it('has the fields of the sample, with values of the same type', () => {
    const arrived = steps.map(({ place, operation: { sample = {} } }) => [
      place,
      typesOf(Object.keys(sample), records[place]),
    ]);
    const promised = steps.map(({ place, operation: { sample = {} } }) => [
      place,
      typesOf(Object.keys(sample), sample),
    ]);
    expect(arrived).toEqual(promised);
  });
});
