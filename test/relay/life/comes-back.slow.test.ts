import { expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { ownSource, start, subscribe } from '../support/running-relay.ts';

type Query = (...values: readonly unknown[]) => unknown;

/** Does something after so many statements of a request. Returns whether it had as many. */
async function afterStatement(nth: number, work: () => unknown, request: () => Promise<unknown>) {
  const real = Client.prototype.query as Query;
  let left = nth;
  const spy = jest.spyOn(Client.prototype as { query: Query }, 'query');
  spy.mockImplementation(async function (this: Client, ...values) {
    const result = await real.apply(this, values);
    left -= 1;
    if (left === 0) await work();
    return result;
  });
  await request();
  spy.mockRestore();
  return left <= 0;
}

it('what another one has still to get comes, after whatever statement that one replaces a third', async () => {
  const [here, there] = ['https://hooks.example.com/here', 'https://hooks.example.com/there'];
  const found: (number | null)[] = [];
  // Nothing is delivered.
  const running = await start({ role: 'ingress' });
  for (let nth = 1, isOver = false; !isOver; nth += 1) {
    const own = await ownSource(running);
    const { token } = await own.relay.tokens.create(own.source, 'third');
    const third = await subscribe(own, here, { token });
    await own.call('DELETE', `/subscriptions/${third}`, undefined, token);
    const other = await subscribe(own, here);
    await own.relay.operate('subscriptions.change', { id: other, state: 'off' });
    await own.deliver({ id: 'waits', type: 'campaign.paid', data: {} });
    // Its position jumps to the end of the log, and a job of it begins where that was.
    const comeBack = () => subscribe(own, here, { replaces: third });
    const replace = () => subscribe(own, there, { replaces: other });
    isOver = !(await afterStatement(nth, comeBack, replace));
    const jobs = `SELECT FROM job WHERE subscription_number = (SELECT max(number) FROM subscription)
      AND since[1] < (SELECT max(position) FROM event)`;
    found.push((await own.query(jobs)).rowCount);
  }
  expect(found.length).toBeGreaterThan(10);
  expect(found).not.toContain(0);
});
