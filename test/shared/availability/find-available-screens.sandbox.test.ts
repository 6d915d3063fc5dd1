import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { apiKey, type Client, createClient, operations } from '@screen-advertising/core';
import { findAvailableScreens } from '@screen-advertising/core/availability';
import { type UndiciTransport, undiciTransport } from '@screen-advertising/core/undici';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';

const period = { from: '2027-03-01', to: '2027-03-14' };

let sandbox: Sandbox;
let transport: UndiciTransport;
let client: Client;

beforeEach(async () => {
  sandbox = createSandbox({ screens: 220 });
  transport = undiciTransport();
  const { baseUrl } = await sandbox.listen();
  client = createClient({ baseUrl, auth: apiKey(sandbox.accesses[0].apiKey), transport });
});

afterEach(async () => {
  await transport.close();
  await sandbox.close();
});

it('200 screens and their availability: the same result as reading one after another, no 429, one request each', async () => {
  const { data: listed } = await client.screens.list({ limit: 200 });
  expect(listed).toHaveLength(200);
  const least = 30;
  const budget = 300_000;
  const expected: { id: string; price: number; share: number }[] = [];
  for (const { id } of listed) {
    const { available_sov_pct, price_per_day_cents } = await client.call(
      operations['screen.availability'],
      { screenId: id, ...period },
    );
    const share = Number(available_sov_pct);
    const price = Number(price_per_day_cents) * 14;
    if (share >= least && price <= budget) expected.push({ id, price, share });
  }
  expected.sort(
    (one, other) =>
      one.price - other.price || other.share - one.share || (one.id < other.id ? -1 : 1),
  );

  sandbox.journal.clear();
  const { screens, failures } = await findAvailableScreens(client, {
    ...period,
    min_available_sov_pct: least,
    budget_cents: budget,
  });
  expect(failures).toEqual([]);
  expect(expected.length).toBeGreaterThan(10);
  expect(
    screens.map(({ screen_id, total_price_cents, available_sov_pct }) => ({
      id: screen_id,
      price: total_price_cents,
      share: available_sov_pct,
    })),
  ).toEqual(expected);
  const statuses = new Set(sandbox.journal.list().map(({ status }) => status));
  expect(statuses).toEqual(new Set([200]));
  expect(sandbox.journal.list()).toHaveLength(201);
});
