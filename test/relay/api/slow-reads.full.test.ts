import { expect, it } from '@jest/globals';
import { onDatabase } from '../support/database.ts';
import { start } from '../support/running-relay.ts';

it('reads that take too long end with what to narrow, and the ingress does not wait for them', async () => {
  const running = await start({ onError: () => undefined });
  const { call, deliver, databaseUrl } = running;
  await onDatabase(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('LOCK TABLE attempt');
    let read = 0;
    const reads = Array.from({ length: 20 }, () =>
      call('GET', '/deliveries').finally(() => {
        read += 1;
      }),
    );
    for (const id of ['1', '2', '3']) {
      expect((await deliver({ id, type: 'campaign.paid' })).status).toBe(202);
    }
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    expect(read).toBe(0);
    const responses = await Promise.all(reads);
    expect(responses.map(({ status }) => status)).toEqual(reads.map(() => 503));
    expect(responses[0]).toMatchObject({
      body: {
        detail:
          'The relay stopped this request after 5 s, because it reads too much or the database is busy. Retry it with a smaller limit, or with fewer records to search: name a time, a type, a state, a subscription or an event.',
      },
    });
    expect(responses[0]?.headers.get('retry-after')).toBe('5');
    await client.query('ROLLBACK');
  });
  expect((await call('GET', '/events')).body.data).toHaveLength(3);
});
