import { describe, expect, it } from '@jest/globals';
import { start } from '../support/running-relay.ts';

const type = 'campaign.paid';

describe('events that arrive at the same time', () => {
  it('are stored once each, with and without an ID', async () => {
    const { deliver, call } = await start({ role: 'ingress' });
    const events = [1, 2, 3].flatMap((number) => [
      { id: `evt-${number}`, type, data: { number } },
      { type, data: { number } },
    ]);
    const answers = await Promise.all([...events, ...events, ...events].map((one) => deliver(one)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(12);
    const { body } = await call('GET', '/events');
    expect(body.data).toHaveLength(6);
  });
});
