import { writeSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { seed } from '../../support/tier.ts';
import { start } from '../support/running-relay.ts';
import { Hub } from './hub.ts';
import { changeHands } from './run.ts';

it('programs that subscribe, end, move and take keys at random get every event', async () => {
  const first = await start({ clock: 'running' });
  const second = await start({ clock: 'running', databaseUrl: first.databaseUrl });
  const hub = new Hub({ ...first, urls: [first.url, second.url], admin: first.relay });
  const result = await changeHands(hub, { seed, operations: 8 });
  writeSync(1, `\nChanges of hands: ${JSON.stringify(result)}\n`);
  expect(result).toMatchObject({ lost: 0 });
  expect(result.events).toBeGreaterThan(20);
});
