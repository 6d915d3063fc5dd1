import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../n8n/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describe('a user of the editor', () => {
  it.failing('searches screens without a keyboard for umlauts: finds them', async () => {
    const id = 'b4a8a7a0-0000-4000-8000-000000000001';
    world.sandbox.screens.add({ id, name: 'München Hauptbahnhof' });
    const parameters = { authentication: 'apiKey', resource: 'screen', operation: 'get' };
    const node = { type: 'screenAdvertising', parameters };
    const { results } = await world.engine.listSearch(node, 'getScreens', 'munchen');
    expect(results).toMatchObject([{ value: id }]);
  });
});
