import { describe, expect, it } from '@jest/globals';
import { useWorld } from '../n8n/world.ts';

const world = useWorld();

describe('a user of the editor', () => {
  it.each([
    ['München Hauptbahnhof', 'munchen'],
    ['Łódź Fabryczna', 'lodz'],
    ['İstanbul Havalimanı', 'istanbul havalimani'],
    ['Uhlandstraße 20', 'UHLANDSTRASSE 20'],
    ['Gräfelfing', 'gra\u0308felfing'],
  ])('searches for %s as %s: finds it', async (name, written) => {
    const id = 'b4a8a7a0-0000-4000-8000-000000000001';
    world.sandbox.screens.add({ id, name });
    const parameters = { authentication: 'apiKey', resource: 'screen', operation: 'get' };
    const node = { type: 'screenAdvertising', parameters };
    const { results } = await world.engine.listSearch(node, 'getScreens', written);
    expect(results).toMatchObject([{ value: id }]);
  });

  it('filters by a city in other characters that look the same: reads why nothing matches', async () => {
    world.sandbox.screens.add({ id: 'scr_zurich', city: 'Zu\u0308rich' });
    const parameters = {
      resource: 'screen',
      operation: 'getAll',
      filters: { city: 'Z\u00fcrich' },
    };
    const { run } = await world.run({ authentication: 'apiKey', ...parameters });
    const [data] = run.data.resultData.runData['Screen Advertising'] ?? [];
    expect(data?.hints).toMatchObject([
      {
        message:
          'The service writes "Zu\u0308rich" with other characters that look the same: choose it from the list, or copy it from a record.',
      },
    ]);
  });
});
