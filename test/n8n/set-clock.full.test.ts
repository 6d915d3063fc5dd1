import { afterEach, expect, it } from '@jest/globals';
import { startWorld, type World } from './world.ts';

const hour = 3_600_000;
const lookUp = {
  authentication: 'apiKey',
  resource: 'user',
  operation: 'lookUp',
  email: '={{ $json.email }}',
};
const emails = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `lead-${index}@example.com` }));

let world: World;
afterEach(() => world.stop());

it.each([
  ['back by an hour', -hour],
  ['forward by an hour, or by as much while the machine slept', hour],
])(
  'a full window waits for its minute when the clock of the machine is set %s',
  async (_, byMs) => {
    world = await startWorld({ clock: 'frozen' });
    const { sandbox, time } = world;
    const startedAt = sandbox.clock.now();
    await world.items(lookUp, { items: emails(600) });
    if (time) time.setByMs = byMs;
    await world.items(lookUp, { items: emails(10) });
    const tookMs = sandbox.clock.now() - startedAt;
    expect(tookMs).toBeGreaterThanOrEqual(60_000);
    expect(tookMs).toBeLessThan(61_000);
    expect(sandbox.journal.list().filter(({ status }) => status === 429)).toEqual([]);
  },
);
