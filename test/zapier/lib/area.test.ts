import { describe, expect, it } from '@jest/globals';
import { createZapierRunner } from '../app/zapier.ts';

const zapier = createZapierRunner({
  baseUrl: 'https://service.example/api/v1',
  credentials: { apiKey: 'svc_abc' },
});

const ofArea = /^(area|near|radius_km|bbox)$/;

describe.each([
  'searches.find_screen',
  'searches.find_available_screens',
  'triggers.new_screen',
  'triggers.screen_availability_changed',
])('the form of %s', (place) => {
  it.each([
    ['asks for the kind of area only', {}, ['area']],
    ['asks for a place', { area: 'place' }, ['area', 'near, required', 'radius_km']],
    ['asks for a box', { area: 'box' }, ['area', 'bbox, required']],
    [
      'keeps a field that still counts',
      { area: 'place', bbox: '1,2,3,4' },
      ['area', 'near, required', 'radius_km', 'bbox'],
    ],
  ])('%s', async (_what, inputData, expected) => {
    const fields = await zapier.run(`${place}.operation.inputFields`, { inputData });
    const shown = (fields as { key: string; required?: boolean }[])
      .filter(({ key }) => ofArea.test(key))
      .map(({ key, required }) => (required ? `${key}, required` : key));
    expect(shown).toEqual(expected);
  });
});
