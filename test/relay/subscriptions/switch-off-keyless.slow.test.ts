import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';

const day = 24 * 3_600_000;
const name = 'zapier';

let shared: Running;
let running: Running;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let oldToken: string;

beforeAll(async () => {
  shared = await start();
});

beforeEach(async () => {
  running = await ownSource(shared);
  receiver = await startReceiver();
  oldToken = (await running.relay.tokens.create(running.source, name)).token;
});

async function subscribe(token = oldToken, more: object = { ends_with_key: true }) {
  const body = { target_url: receiver.url, events: ['campaign.paid'], ...more };
  return (await running.call('PUT', '/subscriptions', body, token)).body;
}

const rotate = async () => (await running.relay.tokens.rotate(running.source, name)).token;
/** A DELETE has no body. */
const notices = () => receiver.arrivals.filter(({ body }) => body === '').length;
const state = async () => {
  const [only] = (await running.relay.subscriptions.list({ source: running.source })).data;
  return only?.off_reason ?? only?.state;
};

async function pass(ms: number): Promise<void> {
  await running.relay.clock.advance(ms);
  // The maintenance switches off, and sends the next time.
  for (let time = 0; time < 2; time += 1) await running.relay.clock.advance(0);
}

describe('a subscription that ends with its key', () => {
  it('ends with a DELETE a day after the rotation, if the new key was not used', async () => {
    await subscribe();
    await rotate();
    await pass(day - 1);
    expect([await state(), notices()]).toEqual(['active', 0]);
    await pass(1);
    expect([await state(), notices()]).toEqual(['key_rotated', 1]);
    await pass(day);
    expect(notices()).toBe(1);
  });

  it('stays if the new key was used for any request, and not just the old one', async () => {
    await subscribe();
    const token = await rotate();
    await running.call('GET', '/me', undefined, oldToken);
    await subscribe();
    await rotate();
    await pass(day);
    expect(await state()).toBe('key_rotated');
    await subscribe(await rotate());
    expect((await running.call('GET', '/me', undefined, token)).status).toBe(401);
    await pass(2 * day);
    expect([await state(), notices()]).toEqual(['active', 1]);
  });

  it('is active again once it is subscribed with the new key', async () => {
    await subscribe();
    const token = await rotate();
    await pass(day);
    expect(await subscribe(token)).toMatchObject({ state: 'active', off_reason: null });
    await pass(5 * day);
    expect([await state(), notices()]).toEqual(['active', 1]);
  });

  it('stays on if the operator switches it on', async () => {
    const { id } = await subscribe();
    await rotate();
    await pass(day);
    await running.relay.subscriptions.on(id, running);
    await pass(day);
    expect([await state(), notices()]).toEqual(['active', 1]);
  });
});

it('any other subscription stays when its key expires unused: its target refuses deliveries', async () => {
  await subscribe(oldToken, {});
  await rotate();
  await pass(2 * day);
  expect([await state(), notices()]).toEqual(['active', 0]);
});
