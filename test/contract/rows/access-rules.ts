import { expect } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { type Row, row } from '../row.ts';

/** One request for each operation, to test its scope, with IDs that need not exist. */
const calls = Object.values(operations).map((operation) => ({
  operation,
  path: operation.path
    .replace('{screenId}', 'scr_none')
    .replace('{code}', 'NONE')
    .replace('{id}', 'cr_none'),
}));

export const accessRules: readonly Row[] = [
  ...calls.map(({ operation: { method, path: template }, path }) =>
    row('1', `${method} ${template} needs a bearer token`, async (bench) => {
      const reply = await bench.send(method, path, method === 'POST' ? { body: {} } : {});
      expect(reply.status).toBe(401);
      expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    }),
  ),
  ...calls.map(({ operation: { method, path: template, scopes }, path }) =>
    row('4', `${method} ${template} needs the scope ${scopes.join(' or ')}`, async (bench) => {
      const needed = new Set<string>(scopes);
      const holders = bench.sandbox.accesses.map((access) => ({
        access,
        holds: access.scopes.some((scope) => needed.has(scope)),
      }));
      for (const { access, holds } of holders) {
        const options = { token: access.apiKey, ...(method === 'POST' && { body: {} }) };
        const reply = await bench.send(method, path, options);
        expect([access.id, reply.status === 403]).toEqual([access.id, !holds]);
      }
    }),
  ),
  row('1', 'a call with an unknown API key is refused', async (bench) => {
    expect((await bench.get('/screens', 'svc_unknown')).status).toBe(401);
  }),
  row('1', 'coupon uniqueness per lead is scoped to the access', async (bench) => {
    const coupon = { discount_type: 'percent', discount_value: 10, lead_email: 'lead@example.com' };
    expect((await bench.post('/coupons', coupon)).status).toBe(201);
    expect((await bench.post('/coupons', coupon, bench.second.apiKey)).status).toBe(201);
  }),
  row('1', 'both kinds of credentials of one access are the same access', async (bench) => {
    const token = await bench.accessToken();
    const coupon = { discount_type: 'percent', discount_value: 10, lead_email: 'lead@example.com' };
    expect((await bench.post('/coupons', coupon)).status).toBe(201);
    expect((await bench.post('/coupons', coupon, token)).status).toBe(409);
  }),
];
