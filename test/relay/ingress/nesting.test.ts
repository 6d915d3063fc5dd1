import { describe, expect, it } from '@jest/globals';
import { start } from '../support/running-relay.ts';

const arrays = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const event = (id: string, data: string) => `{"id":"${id}","type":"campaign.paid","data":${data}}`;

describe('an event', () => {
  it('with more than 100 levels is refused, so that every list can show the others', async () => {
    const { deliver, call } = await start();
    for (const data of [arrays(100_000), objects(100_000), arrays(100), objects(100)]) {
      const { status, body } = await deliver(event('deep', `{"deep":${data}}`));
      expect([status, body.detail]).toEqual([
        400,
        'The body of the delivery has more than 100 nested arrays and objects.',
      ]);
    }
    expect((await deliver(event('flat', `{"deep":${arrays(98)}}`))).status).toBe(202);
    const { status, body } = await call('GET', '/events');
    expect([status, body.data.length]).toEqual([200, 1]);
  });
});
