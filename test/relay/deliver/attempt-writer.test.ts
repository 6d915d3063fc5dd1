import { expect, it } from '@jest/globals';
import { AttemptWriter } from '../../../packages/relay/src/deliver/attempt-writer.ts';
import { connect } from '../../../packages/relay/src/log/database/connect.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { start } from '../support/running-relay.ts';
import { subscribe } from '../support/subscribe.ts';

const target = 'http://127.0.0.1:9/hook';

it.each([
  ['moves its reader', 1, '5'],
  ['moves nothing of a subscription that was subscribed again', 2, '0'],
])('what was attempted %s', async (_, puts, position) => {
  const running = await start({ role: 'ingress' });
  const { pool } = connect(running.databaseUrl, () => undefined);
  closeAfterTest(() => pool.end());
  for (let put = 0; put < puts; put += 1) await subscribe(running, target);
  const reader = { kind: 'log', number: 1, generation: 1 } as const;
  const writer = new AttemptWriter(pool);
  await writer.write({ moves: [{ reader, from: '0', to: '5' }] });
  const { rows } = await pool.query('SELECT position FROM subscription');
  expect(rows).toEqual([{ position }]);
});
