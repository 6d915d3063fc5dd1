import { expect, it } from '@jest/globals';
import { openPool } from '../../../packages/relay/src/base/database.ts';
import { Leases } from '../../../packages/relay/src/deliver/claim.ts';
import { DueDeliveryReaders } from '../../../packages/relay/src/deliver/read.ts';
import { ResultWriter } from '../../../packages/relay/src/deliver/record.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { start, subscribe } from '../support/running-relay.ts';

const target = 'http://127.0.0.1:9/hook';

it('leases are renewed without those that are being released: to wait for them could end in a deadlock', async () => {
  const running = await start({ role: 'ingress' });
  const statementTimeoutMs = 3_000;
  const { pool } = openPool(running.databaseUrl, () => undefined, { most: 2, statementTimeoutMs });
  closeAfterTest(() => pool.end());
  for (const path of ['one', 'other']) await subscribe(running, `http://127.0.0.1:9/${path}`);
  await running.deliver({ id: '1', type: 'campaign.paid' });
  const leases = new Leases(pool);
  const claimed = await leases.claim(running.relay.clock.now(), [], 10);
  const [one, other] = claimed.leases;
  if (!one || !other) throw new Error('Both have something to do.');
  const releasing = await pool.connect();
  closeAfterTest(() => releasing.release(true));
  await releasing.query('BEGIN');
  await releasing.query('SELECT FROM lease WHERE subscription_number = $1 FOR UPDATE', [
    one.subscription,
  ]);
  await leases.renew([one, other]);
  expect([leases.isHeld(one), leases.isHeld(other)]).toEqual([false, true]);
});

it.each([
  ['moves its reader', 1, '5'],
  ['moves nothing of a subscription that was subscribed again', 2, '0'],
])('what was attempted %s', async (_, puts, position) => {
  const running = await start({ role: 'ingress' });
  const { pool } = openPool(running.databaseUrl, () => undefined);
  closeAfterTest(() => pool.end());
  for (let put = 0; put < puts; put += 1) await subscribe(running, target);
  const reader = { kind: 'log', number: '1', subscription: 1, starts: 1 } as const;
  await new ResultWriter(pool).write({ lease: {}, moves: [{ ...reader, from: '0', to: '5' }] });
  const { rows } = await pool.query('SELECT position FROM subscription');
  expect(rows).toEqual([{ position }]);
});

it('a sender that claimed a subscription before its last start reads nothing more for it', async () => {
  const running = await start({ role: 'ingress' });
  const { pool } = openPool(running.databaseUrl, () => undefined);
  closeAfterTest(() => pool.end());
  const id = await subscribe(running, target);
  const { clock } = running.relay;
  for (const nth of ['1', '2']) await running.deliver({ id: nth, type: 'campaign.paid', data: {} });
  const leases = new Leases(pool);
  const { leases: claimed } = await leases.claim(clock.now(), [], 10);
  const [lease] = claimed;
  if (!lease) throw new Error('It has something to do.');
  await running.call('POST', `/subscriptions/${id}/redeliver`, { missing: true });
  await pool.query(`INSERT INTO delivery (source_number, position, subscription_number, state, attempts,
      attempts_since_replay, replays, next_at)
    SELECT source_number, min(position), 1, 'pending', 1, 1, 0, '2027-03-01' FROM event GROUP BY 1`);
  const readers = new DueDeliveryReaders(pool, clock, leases.owner);
  const read = async (from: 'isBehind' | 'hasRetry' | 'hasJob') => {
    const sources = { isBehind: false, hasRetry: false, hasJob: false, [from]: true };
    return (await readers.next(lease, sources)).tasks.length;
  };
  const readEach = async () => [
    await read('isBehind'),
    await read('hasRetry'),
    await read('hasJob'),
  ];
  expect(await readEach()).toEqual([1, 1, 1]);
  await subscribe(running, target);
  expect(await readEach()).toEqual([0, 0, 0]);
});
