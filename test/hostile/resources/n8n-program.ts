/** The node on n8n's engine, execution after execution, with trouble among the items. */
import { startWorld } from '../../n8n/world.ts';
import { watchMemory } from './watch-memory.ts';

const world = await startWorld({ clock: 'frozen', screens: 5 });
const items = Array.from({ length: 100 }, (_, nth) => ({ email: `${nth}@example.com` }));
/** What a try may take is forgotten when that time has passed, so it is short. */
const options = { timeout: 1 };
const lookUp = { resource: 'user', operation: 'lookUp', email: '={{ $json.email }}', options };

async function round(): Promise<number> {
  world.sandbox.reset();
  for (const authentication of ['apiKey', 'clientCredentials']) {
    world.sandbox.faults.add({ fault: 'status', status: 503, probability: 0.02 });
    world.sandbox.faults.add({ fault: 'reset', probability: 0.02 });
    world.sandbox.faults.add({ fault: 'status', status: 400, times: 1, skip: 50 });
    await world.run({ ...lookUp, authentication }, { items });
    const caller = new AbortController();
    setImmediate(() => caller.abort());
    await world.run({ ...lookUp, authentication }, { items, signal: caller.signal });
  }
  return 4 * items.length;
}

await watchMemory(20, round, () => world.stop());
