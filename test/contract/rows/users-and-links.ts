import { expect } from '@jest/globals';
import { at, type Bench } from '../bench.ts';
import { type Row, row } from '../row.ts';

type User = ReturnType<Bench['sandbox']['users']['list']>[number];

function userReferredBy(bench: Bench, access: string | null): User {
  const user = bench.sandbox.users.list().find(({ referredBy }) => referredBy === access);
  if (!user) throw new Error(`The seed has no user referred by ${access}.`);
  return user;
}

const bothWays = ['email', 'vat_uid'] as const;

export const userRows: readonly Row[] = [
  row('2.5', 'an unknown user is { "data": { "exists": false } }', async (bench) => {
    const reply = await bench.get('/users/lookup?email=nobody%40example.com');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ data: { exists: false } });
  }),
  row(
    '2.5',
    'the client returns { exists: false } for an unknown user',
    async (bench) => {
      const found = await bench.client().users.lookup({ email: 'nobody@example.com' });
      expect(found).toEqual({ exists: false });
    },
    ['userLookup'],
  ),
  ...bothWays.map((way) =>
    row(
      '4.8',
      `a user is found by ${way}`,
      async (bench) => {
        const user = bench.sandbox.users.list().find((candidate) => candidate[way]);
        const input = { [way]: user?.[way] };
        expect(await bench.client().users.lookup(input)).toMatchObject({ user_id: user?.user_id });
      },
      ['userLookup'],
    ),
  ),
  row(
    '2.5',
    'a known user has an ID, a time of registration, and whether there are bookings',
    async (bench) => {
      const { email } = userReferredBy(bench, bench.full.id);
      expect(await bench.client().users.lookup({ email })).toMatchObject({
        user_id: expect.any(String),
        registered_at: expect.any(String),
        has_bookings: expect.any(Boolean),
      });
    },
    ['userLookup'],
  ),
  row(
    '4.8',
    'attribution is present when the referral belongs to the calling access',
    async (bench) => {
      const { email } = userReferredBy(bench, bench.full.id);
      expect((await bench.client().users.lookup({ email })).attribution).toEqual(
        expect.any(Object),
      );
    },
    ['userLookup'],
  ),
  row(
    '4.8',
    'attribution is omitted when the referral belongs to another access',
    async (bench) => {
      const { email } = userReferredBy(bench, bench.second.id);
      expect(await bench.client().users.lookup({ email })).not.toHaveProperty('attribution');
    },
    ['userLookup'],
  ),
  row(
    '4.8',
    'a lookup needs either email or vat_uid',
    async (bench) => {
      expect([400, 422]).toContain((await bench.get('/users/lookup')).status);
    },
    ['invalidParameter'],
  ),
];

export const landingLinkRows: readonly Row[] = [
  row('4.9', 'a new landing link gets 201 with url', async (bench) => {
    const reply = await bench.post('/landing-links', { utm_campaign: 'spring' });
    expect(reply.status).toBe(201);
    expect(URL.canParse(String(at(reply.json, 'url')))).toBe(true);
  }),
  row(
    '2.6',
    'utm_medium of the url is always partner_api',
    async (bench) => {
      for (const fields of [{}, { utm_campaign: 'spring' }, { utm_medium: 'other' }]) {
        const { url } = await bench.client().landingLinks.create(fields);
        expect(new URL(url).searchParams.getAll('utm_medium')).toEqual(['partner_api']);
      }
    },
    ['singleRecord'],
  ),
  row('2.6', 'the url carries UTM parameters', async (bench) => {
    const { url } = await bench.client().landingLinks.create({ utm_campaign: 'spring' });
    expect(new URL(url).searchParams.get('utm_campaign')).toBe('spring');
  }),
];
