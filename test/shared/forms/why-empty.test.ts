import { beforeEach, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { explainEmptyResult, knownValues } from '@screen-advertising/core/forms';
import { useBench } from '../support/bench.ts';

const bench = useBench();
const list = operations['screen.list'];

const screens = [
  { id: '1', city: 'Berlin', country: 'DE', orientation: 'landscape' },
  { id: '2', city: 'Munich', country: 'DE', orientation: 'portrait' },
  { id: '3', city: ' Graz ', country: 'AT', orientation: null },
  { id: '4', city: '', country: 'AT' },
];
const page = (data: readonly object[]) => ({ body: { data, pagination: { has_more: false } } });

beforeEach(() => {
  bench.service.on('GET /screens', page(screens));
  bench.service.on('GET /campaign-requests', page([{ id: 'cr', industry: 'retail' }]));
});

it('the known values are those of the records, each once, sorted', async () => {
  expect(await knownValues(bench.client(), ['city', 'country', 'orientation'])).toEqual({
    city: ['Berlin', 'Graz', 'Munich'],
    country: ['AT', 'DE'],
    orientation: ['landscape', 'portrait'],
  });
  expect(await knownValues(bench.client(), ['industry'])).toEqual({ industry: ['retail'] });
});

it('at most 2,000 records are read', async () => {
  const data = Array.from({ length: 200 }, (_none, index) => ({
    id: `scr_${index}`,
    city: 'Linz',
  }));
  const pages = Array.from({ length: 11 }, (_none, index) => ({
    body: { data, pagination: { has_more: true, cursor: `p${index}` } },
  }));
  bench.service.on('GET /screens', ...pages);
  expect(await knownValues(bench.client(), ['city'])).toEqual({ city: ['Linz'] });
  expect(bench.service.received).toHaveLength(10);
});

it.each([
  [{ city: 'Berln' }, 'No screen is in "Berln". Did you mean "Berlin"?'],
  [{ city: 'berlin' }, 'No screen is in "berlin". Did you mean "Berlin"?'],
  [{ city: 'Grätz' }, 'No screen is in "Grätz". Did you mean "Graz"?'],
  [{ city: 'Köln' }, 'No screen is in "Köln". Known values: Berlin, Graz, Munich.'],
  [{ country: 'FR' }, 'No screen is in "FR". Known values: AT, DE.'],
  [{ country: 'Austria', city: 'Berlin' }, undefined],
  [
    { orientation: 'landscap', city: 'Brlin' },
    'No screen is in "Brlin". Did you mean "Berlin"? No screen has the orientation "landscap". Did you mean "landscape"?',
  ],
  [{ bbox: '1,2,3,4' }, undefined],
])('for %j: %s', async (filters, sentences) => {
  expect(await explainEmptyResult(bench.client(), list, filters)).toBe(sentences);
  expect(
    await explainEmptyResult(bench.client(), compoundOperations['screen.findAvailable'], filters),
  ).toBe(sentences);
});

it('an industry is compared with those of the campaign requests', async () => {
  const requests = operations['campaignRequest.list'];
  expect(await explainEmptyResult(bench.client(), requests, { industry: 'retial' })).toBe(
    'No campaign request has the industry "retial". Did you mean "retail"?',
  );
});

it('without records there is nothing to name, and a failure explains nothing', async () => {
  bench.service.on('GET /screens', page([]));
  expect(await explainEmptyResult(bench.client(), list, { city: 'Berln' })).toBe(
    'No screen is in "Berln".',
  );
  bench.service.on('GET /screens', { status: 403, body: {} });
  expect(await explainEmptyResult(bench.client(), list, { city: 'Berln' })).toBeUndefined();
});
