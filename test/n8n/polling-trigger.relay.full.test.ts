import { expect, it } from '@jest/globals';
import { onDatabase } from '../relay/support/database.ts';
import { start } from '../relay/support/running-relay.ts';
import { storeEvents } from '../relay/support/stored-events.ts';
import { Engine } from './engine/engine.ts';
import { createPoller } from './engine/poller.ts';

const type = 'coupon.redeemed';

it('a backlog starts executions of 10,000 events each, the oldest first', async () => {
  const { url: baseUrl, databaseUrl, key } = await start();
  const { connectorKey } = key;
  const engine = await Engine.start({ screenAdvertisingRelayApi: { baseUrl, connectorKey } });
  const poller = createPoller(engine, {
    type: 'screenAdvertisingPollingTrigger',
    parameters: { authentication: 'relay', relayEvents: [type] },
  });
  expect(await poller.poll()).toEqual([]);
  const count = 10_150;
  await onDatabase(databaseUrl, (client) => storeEvents(client, { count, type, state: 'pending' }));
  const times: string[] = [];
  for (const most of [10_000, 150, 0]) {
    const items = await poller.poll();
    expect(items).toHaveLength(most);
    times.push(...items.map(({ json }) => String(json.timestamp)));
    poller.restart();
  }
  expect(times).toEqual([...times].sort());
}, 120_000);
