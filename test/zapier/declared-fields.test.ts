import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { type Listening, listen } from '../shared/support/loopback.ts';
import { definitionOf, exampleInputOf, type PlacedPart, visiblePartsOf } from './app/definition.ts';
import { createZapierRunner } from './app/zapier.ts';

type Fields = Readonly<Record<string, unknown>>;

/** All that the service shows: the specification names no fields of coupons, requests and events. */
const sparse = {
  id: 'scr_1',
  status: 'rejected',
  latitude: 52.52,
  longitude: 13.405,
  available_sov_pct: 50,
  url: 'https://links.example/1',
};

const signing_secret = 'whsec_of_this_test';
let service: Listening;
beforeAll(async () => {
  service = await listen(
    createServer(({ url = '' }, response) => {
      const isList = /\/(screens|campaign-requests)(\?|$)/.test(url);
      const { searchParams } = new URL(url, 'http://service.example');
      const record = { ...sparse, ...Object.fromEntries(searchParams) };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isList ? { data: [sparse], pagination: {} } : { data: record }));
    }),
  );
});
afterAll(() => service.close());

/** The record of a step; of a polling trigger, the one that the editor shows. */
async function recordOf(part: PlacedPart): Promise<Fields> {
  const { place, key, kind, operation } = part;
  const zapier = createZapierRunner({
    baseUrl: `http://127.0.0.1:${service.port}/api/v1`,
    credentials: { apiKey: 'svc_abc' },
    fields: { signing_secret },
  });
  if (operation.type === 'hook') {
    const content = JSON.stringify({ id: 'evt_1', type: operation.sample?.type, data: sparse });
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = signWebhook({ body: content, secret: signing_secret, timestamp });
    const headers = { 'X-Service-Signature': signature };
    const [event = {}] = await zapier.hook(key, { headers, content });
    return event;
  }
  const inputData = exampleInputOf(part);
  const bundle = { inputData, meta: { isLoadingSample: kind === 'triggers' } };
  const found = await zapier.run(`${place}.operation.perform`, bundle);
  const [record] = [(found as { results?: Fields[] }).results ?? found].flat();
  return record as Fields;
}

const paths = (value: unknown, path: readonly string[] = []): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => paths(inner, [...path, name]))
    : [path.join('__')];

const has = (record: Fields, path: string): boolean => {
  const names = path.split('__');
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>((value, name) => (value as Fields)?.[name], record);
  return typeof holder === 'object' && holder !== null && last in holder;
};

it('a live record has every field of the sample, and every field that the step declares', async () => {
  // Each trigger of an event once: it passes on the same record, however it gets the event.
  const parts = visiblePartsOf(await definitionOf('private')).filter(
    ({ operation, key }) => operation.type !== 'hook' || key.endsWith('_manual_setup'),
  );
  expect(parts.length).toBeGreaterThan(15);
  const missing: string[] = [];
  for (const part of parts) {
    const record = await recordOf(part);
    const { sample = {}, outputFields = [] } = part.operation;
    const promised = [...paths(sample), ...outputFields.map(({ key }) => key)];
    missing.push(...promised.filter((path) => !has(record, path)).map((path) => part.place + path));
  }
  expect(missing).toEqual([]);
});

it('a record of Find Available Screens names the ID of the screen once', async () => {
  const parts = visiblePartsOf(await definitionOf('private'));
  const part = parts.find(({ key }) => key === 'find_available_screens') as PlacedPart;
  const record = await recordOf(part);
  expect(record).toMatchObject({ screen_id: 'scr_1' });
  expect(record.screen).not.toHaveProperty('id');
});
