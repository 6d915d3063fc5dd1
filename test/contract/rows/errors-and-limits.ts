import { expect } from '@jest/globals';
import { at, type Bench, type Reply } from '../bench.ts';
import { type Row, row } from '../row.ts';

const coupon = { discount_type: 'percent', discount_value: 10, lead_email: 'lead@example.com' };

/** One way to get each status that the specification names. */
const refusals: Readonly<Record<number, (bench: Bench) => Promise<Reply>>> = {
  400: (bench) => bench.post('/coupons', { ...coupon, discount_value: 101 }),
  401: (bench) => bench.send('GET', '/screens'),
  403: (bench) => bench.get('/users/lookup?email=a%40example.com', bench.limited.apiKey),
  404: (bench) => bench.get('/screens/scr_none'),
  409: async (bench) => {
    await bench.post('/coupons', coupon);
    return bench.post('/coupons', coupon);
  },
  429: async (bench) => {
    await useUp(bench, few);
    return bench.get('/screens?limit=1');
  },
};

/** Enough where the number itself does not matter, since 600 requests take a second. */
const few = 5;
const withFew = (one: Row): Row => ({ ...one, requestsPerMinute: few });

async function useUp(bench: Bench, requests: number, token?: string): Promise<number[]> {
  const replies = await Promise.all(
    Array.from({ length: requests }, () => bench.get('/screens?limit=1', token)),
  );
  return replies.map(({ status }) => status);
}

async function askForTokens(bench: Bench, requests: number): Promise<number[]> {
  const { clientId: client_id, clientSecret: client_secret } = bench.full;
  const statuses: number[] = [];
  for (let n = 0; n < requests; n += 1) {
    const reply = await bench.send('POST', '/oauth/token', { body: { client_id, client_secret } });
    statuses.push(reply.status);
  }
  return statuses;
}

const errors: readonly Row[] = [
  ...Object.entries(refusals).map(([status, refuse]) =>
    row('7', `${status} has a problem with type, title, status and detail`, async (bench) => {
      const reply = await refuse(bench);
      expect(reply.status).toBe(Number(status));
      expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(reply.json).toMatchObject({
        type: expect.stringMatching(/./),
        title: expect.stringMatching(/./),
        status: Number(status),
        detail: expect.stringMatching(/./),
      });
      const { 'retry-after': header } = Object.fromEntries(reply.headers);
      const { retry_after } = reply.json as { retry_after?: number };
      if (status !== '429') expect([header, retry_after]).toEqual([undefined, undefined]);
      else expect([Number(header), header]).toEqual([retry_after, expect.stringMatching(/^\d+$/)]);
    }),
  ),
  row('7', 'a path that does not exist gets a problem document', async (bench) => {
    const reply = await bench.get('/nothing-here');
    expect(reply.status).toBe(404);
    expect(at(reply.json, 'status')).toBe(404);
  }),
];

export const errorRows = errors.map(withFew);

export const limitRows: readonly Row[] = [
  row('8', 'an access may send 600 requests in a minute, and no more', async (bench) => {
    // Without a socket, since so many take a second.
    const headers = { authorization: `Bearer ${bench.full.apiKey}` };
    for (let count = 0; count <= 600; count += 1) {
      const { status } = await bench.sandbox.fetch('http://sandbox/api/v1/coupons/X', { headers });
      expect([count, status]).toEqual([count, count < 600 ? 404 : 429]);
    }
  }),
  withFew(
    row('8', 'after the time in Retry-After the access may send again', async (bench) => {
      await useUp(bench, few);
      const refused = await bench.get('/screens?limit=1');
      await bench.sandbox.clock.advance(Number(refused.headers.get('retry-after')) * 1000);
      expect(await useUp(bench, 1)).toEqual([200]);
    }),
  ),
  withFew(
    row('8', 'another access has its own rate limit', async (bench) => {
      await useUp(bench, few + 1);
      expect(await useUp(bench, 1, bench.second.apiKey)).toEqual([200]);
    }),
  ),
  withFew(
    row('8', 'the API key and the token of an access share one rate limit', async (bench) => {
      const token = await bench.accessToken();
      await useUp(bench, few - 2);
      await useUp(bench, 2, token);
      expect(await useUp(bench, 1)).toEqual([429]);
      expect(await useUp(bench, 1, token)).toEqual([429]);
    }),
  ),
  row('8', 'the token endpoint accepts 10 requests per minute from one address', async (bench) => {
    expect(await askForTokens(bench, 11)).toEqual([...Array(10).fill(200), 429]);
  }),
  row('8', 'after a minute the token endpoint accepts requests again', async (bench) => {
    await askForTokens(bench, 11);
    await bench.sandbox.clock.advance(60_000);
    expect(await askForTokens(bench, 1)).toEqual([200]);
  }),
];
