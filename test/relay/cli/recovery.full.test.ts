import { describe, expect, it } from '@jest/globals';
import { run } from '../../../packages/relay/src/cli/run.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { type Running, secretKey, start } from '../support/running-relay.ts';

async function command({ databaseUrl }: Running, ...args: string[]): Promise<string> {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const environment = { DATABASE_URL: databaseUrl, RELAY_SECRET_KEY: secretKey };
  const stop = new AbortController().signal;
  await run(args, { write, writeError: write, readInput: async () => '', environment, stop });
  return output;
}

async function subscribe({ call }: Running, name: string) {
  const receiver = await startReceiver();
  const put = { target_url: receiver.url, events: ['coupon.redeemed'], name };
  const { body } = await call('PUT', '/subscriptions', put);
  return { receiver, id: body.id as string };
}

describe('in the terminal', () => {
  it("two commands lead from Anna's email address to her delivered event", async () => {
    const running = await start();
    for (const [id, lead_email] of [
      ['evt_0001', 'ben@example.com'],
      ['evt_0002', 'Anna@example.com'],
    ] as const) {
      const data = { code: 'SPRING-25', lead_email };
      await running.deliver({ id, type: 'coupon.redeemed', data });
    }
    const { receiver } = await subscribe(running, 'Coupons in n8n');
    const found = await command(running, 'events', 'find', 'anna@example.com');
    const [, event = ''] = found.match(/^id +(evt_\w+)$/m) ?? [];
    const to = ['--subscription', 'Coupons in n8n'];
    expect(await command(running, 'events', 'replay', event, ...to)).toMatch(/^replayed +1$/m);
    await running.relay.clock.advance(0);
    expect(receiver.arrivals.map(({ body }) => JSON.parse(String(body)).id)).toEqual(['evt_0002']);
  });

  it('one command switches a subscription on and delivers what it missed', async () => {
    const running = await start();
    const { receiver, id } = await subscribe(running, 'Zap');
    await command(running, 'subscriptions', 'off', 'zap');
    await running.deliver({ id: '1', type: 'coupon.redeemed', data: {} });
    expect(await command(running, 'subscriptions', 'recover', id)).toMatch(/^replayed +1$/m);
    await running.relay.clock.advance(0);
    expect(receiver.arrivals).toHaveLength(1);
    expect(await command(running, 'subscriptions', 'recover', id)).toMatch(/^replayed +0$/m);
  });

  it('a name that several subscriptions have is refused', async () => {
    const running = await start();
    await subscribe(running, 'Zap');
    await subscribe(running, 'zap');
    expect(await command(running, 'subscriptions', 'recover', 'ZAP')).toBe(
      'Several subscriptions are named "ZAP". Use the ID of one.\n',
    );
  });
});
