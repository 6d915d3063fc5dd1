import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, type Client, createClient } from '@screen-advertising/core';
import { type UndiciTransport, undiciTransport } from '@screen-advertising/core/undici';
import { createSandbox } from '@screen-advertising/sandbox';

const sandbox = createSandbox({ screens: 1 });
const [access] = sandbox.accesses;
let transport: UndiciTransport;
let baseUrl = '';

beforeAll(async () => {
  transport = undiciTransport();
  ({ baseUrl } = await sandbox.listen());
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  await transport.close();
  await sandbox.close();
});

const client = (): Client =>
  createClient({
    baseUrl,
    auth: apiKey(access.apiKey),
    // Waits of the client take no time; its sockets are real.
    transport: { send: transport.send, clock: { now: Date.now, sleep: async () => undefined } },
  });

const fields = {
  discount_type: 'free_days',
  discount_value: 3,
  lead_email: 'lead@example.com',
} as const;
const coded = { ...fields, code: 'OWN-1' };
/** The service carries out the first of the requests, and responses get lost, its own first. */
const lose = (times: number): void => {
  sandbox.faults.add({ fault: 'reset', when: 'after', method: 'POST', path: '/coupons', times });
};
const codes = (): string[] => sandbox.coupons.list().map(({ code }) => code);

describe('one coupon wanted by many at once, whose responses get lost', () => {
  it('goes to its owner alone', async () => {
    lose(6);
    const leads = Array.from({ length: 6 }, (_, index) => `lead-${index}@example.com`);
    const outcomes = await Promise.allSettled(
      leads.map((lead_email) => client().coupons.create({ ...coded, lead_email })),
    );
    const given = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.lead_email] : [],
    );
    expect(codes()).toEqual(['OWN-1']);
    expect(given).toEqual(sandbox.coupons.list().map(({ lead_email }) => lead_email));
  });

  it('goes to all runs of one automation, whose others hear of the conflict', async () => {
    lose(1);
    const runs = Array.from({ length: 5 }, () =>
      client().coupons.create(coded, { adoptExisting: true }),
    );
    for (const coupon of await Promise.all(runs)) expect(coupon).toMatchObject(coded);
    expect(codes()).toEqual(['OWN-1']);
  });
});
