import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { apiKey, createClient } from '@screen-advertising/core';
import { type FoundScreens, findAvailableScreens } from '@screen-advertising/core/availability';
import { undiciTransport } from '@screen-advertising/core/undici';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { Engine } from '../n8n/engine/engine.ts';
import { createZapierRunner } from '../zapier/app/runner.ts';

const wanted = {
  from: '2027-03-01',
  to: '2027-03-14',
  country: 'DE',
  min_available_sov_pct: 20,
  budget_cents: 500_000,
};

let sandbox: Sandbox;
let baseUrl: string;

beforeAll(async () => {
  sandbox = createSandbox();
  ({ baseUrl } = await sandbox.listen());
});
afterAll(() => sandbox.close());

async function onTheBareClient(): Promise<FoundScreens['screens']> {
  const transport = undiciTransport();
  const client = createClient({ baseUrl, auth: apiKey(sandbox.accesses[0].apiKey), transport });
  const { screens } = await findAvailableScreens(client, wanted);
  await transport.close();
  return screens;
}

async function onN8n(): Promise<unknown[]> {
  const { apiKey: key } = sandbox.accesses[0];
  const engine = await Engine.start({ screenAdvertisingApi: { baseUrl, apiKey: key } });
  const { from, to, ...filters } = wanted;
  const result = await engine.runNode({
    type: 'screenAdvertising',
    parameters: {
      resource: 'screen',
      operation: 'findAvailable',
      from,
      to,
      filters,
      simplify: false,
    },
  });
  if (result.error) throw result.error;
  return result.output('Screen Advertising').map(({ json }) => json);
}

/**
 * Removes what Zapier adds: amounts in currency units, the picture as a file, and how many screens
 * could not be read.
 */
async function onZapier(): Promise<unknown[]> {
  const { clientId, clientSecret } = sandbox.accesses[0];
  const runner = createZapierRunner({ baseUrl, credentials: { clientId, clientSecret } });
  await runner.connect();
  const found = await runner.search('find_available_screens', wanted);
  return found.map((one) => {
    const { unread_screens, unread_screen_ids, screens_without_coordinates, ...others } = one;
    const { screen, ...record } = others;
    expect([unread_screens, unread_screen_ids, screens_without_coordinates]).toEqual([0, '', 0]);
    const { thumbnail: _file, price_per_day: _day, ...known } = screen as Record<string, unknown>;
    const { price_per_day, total_price, ...own } = record;
    expect([price_per_day, total_price]).toEqual([
      Number(record.price_per_day_cents) / 100,
      Number(record.total_price_cents) / 100,
    ]);
    return { ...own, screen: known };
  });
}

it.each([
  ['n8n', onN8n],
  ['Zapier', onZapier],
] as const)(
  '%s finds the same screens as the bare client, field by field, in the same order',
  async (_name, find) => {
    const expected = await onTheBareClient();
    expect(expected.length).toBeGreaterThan(10);
    expect(await find()).toEqual(expected);
  },
);
