import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, type Client, createClient } from '@screen-advertising/core';
import { type UndiciTransport, undiciTransport } from '@screen-advertising/core/undici';
import { createSandbox, type FaultRule } from '@screen-advertising/sandbox';

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
const codes = (): string[] => sandbox.coupons.list().map(({ code }) => code);

/** Every point at which the response to a creation can get lost. */
const losses: readonly [string, Omit<FaultRule, 'method'> & FaultRule][] = [
  ['before it reaches the service', { fault: 'reset', when: 'before' }],
  ['right after the service did it', { fault: 'reset', when: 'after' }],
  ['in the middle of its body', { fault: 'truncated-body' }],
  ['in a proxy that says 502 before', { fault: 'status', status: 502, when: 'before' }],
  ['in a proxy that says 504 after', { fault: 'status', status: 504, when: 'after' }],
  ['behind a page of HTML', { fault: 'html-body' }],
  ['with nothing in it', { fault: 'empty-body' }],
  ['with broken JSON', { fault: 'malformed-json' }],
];

describe('a lost response', () => {
  describe.each(losses)('%s', (_where, fault) => {
    it('every time, also for the lookup: doing what the error says helps', async () => {
      sandbox.faults.add({ ...fault, method: 'POST', path: '/coupons', times: 4 });
      sandbox.faults.add({ ...fault, method: 'GET', path: '/coupons/*', times: 5 });
      const ours = client();
      const failure = await ours.coupons.create(coded).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'outcome_unknown', isRetryable: true });
      expect(String(failure)).toContain('Retrying with the same code is safe');
      sandbox.faults.clear();
      expect(await ours.coupons.create(coded, { adoptExisting: true })).toMatchObject(coded);
      expect(codes()).toEqual(['OWN-1']);
    });
  });
});

describe('one code wanted by many at once', () => {
  it('gives one of them the coupon and all others a conflict', async () => {
    const leads = Array.from({ length: 20 }, (_, index) => `lead-${index}@example.com`);
    const outcomes = await Promise.allSettled(
      leads.map((lead_email) => client().coupons.create({ ...coded, lead_email })),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    expect(outcomes.length - refused.length).toBe(1);
    expect(refused.every((error) => error.code === 'conflict')).toBe(true);
    expect(codes()).toEqual(['OWN-1']);
  });

  it('returns it only to its owner, even when responses get lost', async () => {
    sandbox.faults.add({
      fault: 'reset',
      when: 'after',
      method: 'POST',
      path: '/coupons',
      times: 6,
    });
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

  it('gives the same runs of one automation the same coupon', async () => {
    const runs = Array.from({ length: 5 }, () =>
      client().coupons.create(coded, { adoptExisting: true }),
    );
    for (const coupon of await Promise.all(runs)) expect(coupon).toMatchObject(coded);
    expect(codes()).toEqual(['OWN-1']);
  });
});

describe('a coupon without a code wanted for one lead by many at once', () => {
  it.each(losses)('is created once, though responses get lost %s', async (_where, fault) => {
    sandbox.faults.add({ ...fault, method: 'POST', path: '/coupons', times: 6 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => client().coupons.create(fields)),
    );
    expect(codes()).toHaveLength(1);
    const given = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(given.length).toBeLessThanOrEqual(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') expect(outcome.value.code).toBe(codes()[0]);
      // A page in place of the problem document hides that the refusal is a conflict.
      else {
        expect(['conflict', 'outcome_unknown', 'unexpected_response']).toContain(
          outcome.reason.code,
        );
      }
    }
  });
});
