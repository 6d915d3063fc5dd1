import { expect, it } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { relayProblemEventKind } from '@screen-advertising/core/webhooks';
import { createRelay } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import {
  freshDatabase,
  type Running,
  secretKey,
  start,
  subscribe,
} from '../support/running-relay.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const type = 'campaign.paid';
const failures = () => Array(1_000).fill(500);

interface ProblemRecord {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A relay with one receiver that wants its problems. */
async function watched() {
  const running = await start({ publicUrl: 'https://relay.example.com/' });
  const chat = await startReceiver();
  await subscribe(running, chat.url, { events: relayProblemEventKind.types });
  return { ...running, running, chat };
}

/** Time passes, and the maintenance runs before and after it. */
async function pass({ relay }: Running, ms: number) {
  await relay.clock.advance(ms);
  await relay.clock.advance(0);
}

const change = ({ relay }: Running, id: string, state: 'off' | 'active') =>
  relay.operate('subscriptions.change', { id, state });

async function problemsOf({ call }: Running): Promise<ProblemRecord[]> {
  const { data } = (await call('GET', '/events?limit=200')).body;
  return data.filter((event: ProblemRecord) => event.type.startsWith('relay.')).reverse();
}

it('a name that a subscriber chose neither mentions nor links in a chat, and forges no line', async () => {
  const { running, chat, deliver } = await watched();
  const { url } = await startReceiver(failures());
  await subscribe(running, url, { name: '<!channel> [x](https://e.example) @all\u001b[2J\u202e' });
  await deliver({ id: '1', type });
  await pass(running, 6 * minute);
  const { text } = JSON.parse(chat.arrivals[0]?.body ?? '');
  expect(text).toMatch(/^" !channel x \(https:\/\/e\.example\) all\\u001b 2J\\u202e" \(/);
});

it('a subscription that accepts nothing for five minutes is reported once, signed', async () => {
  const { running, relay, chat, key, deliver } = await watched();
  const { url } = await startReceiver(failures());
  const id = await subscribe(running, url, { name: 'CRM' });
  await deliver({ id: '1', type });
  await pass(running, 4 * minute);
  expect(chat.arrivals).toEqual([]);
  await pass(running, 2 * minute);
  const [arrival] = chat.arrivals;
  const { host } = new URL(url);
  const message = `"CRM" (${host}) has not accepted an event since 2027-03-01 09:00 UTC: responded with status 500. The relay retries, and switches the subscription off after five days.`;
  const page = `https://relay.example.com/operator/subscriptions/${id}`;
  const verified = verifyWebhook({
    body: arrival?.body ?? '',
    signature: arrival?.headers['x-service-signature'],
    secrets: [key.signingSecret],
    now: () => relay.clock.now(),
  });
  expect(verified).toMatchObject({
    type: 'relay.subscription_failing',
    // What a chat program shows.
    payload: { text: `${message} ${page}` },
    data: {
      message,
      problem: 'subscription_failing',
      subscription_id: id,
      subscription_name: 'CRM',
      target_host: host,
      reason: 'responded with status 500',
      since: '2027-03-01T09:00:00.000Z',
      event_type: type,
      page_url: page,
    },
  });
  for (let hours = 0; hours < 20; hours += 1) await pass(running, hour);
  expect(chat.arrivals).toHaveLength(1);
});

it('it is reported again after it worked in between, at most once an hour', async () => {
  const { running, chat, deliver } = await watched();
  const receiver = await startReceiver();
  await subscribe(running, receiver.url);
  for (let nth = 0; nth < 12; nth += 1) {
    receiver.answers.push(500, 500, 500, 500);
    await deliver({ id: String(nth), type });
    await pass(running, 9 * minute);
    // The fifth attempt would come later: this event gets through.
    await deliver({ id: `${nth} works`, type });
    await pass(running, minute);
  }
  const problems = await problemsOf(running);
  expect(problems.length).toBeGreaterThanOrEqual(1);
  expect(problems.length).toBeLessThanOrEqual(3);
  expect(chat.arrivals).toHaveLength(problems.length);
});

it('a subscription that is switched off is reported, unless it was deleted', async () => {
  const { running, call, deliver } = await watched();
  const { url } = await startReceiver([410]);
  await subscribe(running, url, { name: 'Gone' });
  await deliver({ id: '1', type });
  await pass(running, 0);
  await change(running, await subscribe(running, `${url}/2`, { name: 'Off' }), 'off');
  await call('DELETE', `/subscriptions/${await subscribe(running, `${url}/3`)}`);
  await pass(running, 0);
  const problems = await problemsOf(running);
  const [event] = (await call('GET', '/events?type=campaign.paid')).body.data;
  const told = ({ data }: ProblemRecord) => [data.subscription_name, data.reason, data.event_id];
  expect(problems.map(told).sort()).toEqual([
    ['Gone', 'the target responded with 410 (Gone)', event.id],
    ['Off', 'switched off by an operator', undefined],
  ]);
  expect(problems.every((problem) => problem.type === 'relay.subscription_off')).toBe(true);
});

it('a subscription that is on again before the report is not reported', async () => {
  const { running } = await watched();
  const id = await subscribe(running, 'http://127.0.0.1:9/');
  for (const _ of ['reported', 'too soon for a second report']) {
    await change(running, id, 'off');
    await pass(running, minute);
    await change(running, id, 'active');
  }
  await pass(running, 2 * hour);
  expect(await problemsOf(running)).toHaveLength(1);
});

it('deliveries that died within an hour are reported together', async () => {
  const { running, deliver } = await watched();
  const { url } = await startReceiver(failures());
  await subscribe(running, url, { name: 'CRM' });
  for (const id of ['1', '2', '3']) await deliver({ id, type });
  await pass(running, 4 * day);
  const dead = (await problemsOf(running)).filter((one) => one.type === 'relay.delivery_dead');
  expect(dead.map(({ data }) => data)).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(
        /^3 deliveries, the last one of campaign\.paid, to "CRM" \(.*\) failed for good: responded with status 500\. Fix the cause, then redeliver\.$/,
      ),
      deliveries: 3,
      event_type: type,
    }),
  ]);
});

it('a problem causes no further ones when its own subscriber fails', async () => {
  const running = await start();
  const chat = await startReceiver(failures());
  const mixed = await startReceiver();
  await subscribe(running, chat.url, { events: relayProblemEventKind.types, name: 'Chat' });
  const both = [...relayProblemEventKind.types, 'user.registered'];
  await subscribe(running, mixed.url, { events: both, name: 'Mixed' });
  const gone = await startReceiver([410]);
  await subscribe(running, gone.url, { name: 'Gone' });
  await running.deliver({ id: '1', type });
  await pass(running, 0);
  mixed.answers.push(...failures());
  await change(running, await subscribe(running, `${gone.url}/2`, { name: 'Off' }), 'off');
  for (let hours = 0; hours < 6 * 24; hours += 6) await pass(running, 6 * hour);
  const names = (await problemsOf(running)).map(({ data }) => data.subscription_name);
  expect(names.sort()).toEqual(['Gone', 'Off']);
});

it('of many subscriptions, 20 an hour are reported, and the last one names the others', async () => {
  const { running, relay, chat } = await watched();
  const { token } = await relay.tokens.create('main', 'many');
  for (let nth = 0; nth < 25; nth += 1) {
    await subscribe(running, `http://127.0.0.1:9/${nth}`, { token });
  }
  await relay.tokens.revoke('main', 'many');
  await pass(running, 0);
  const problems = await problemsOf(running);
  expect(problems).toHaveLength(20);
  const last = '5 other subscriptions have the same problem: see the relay';
  expect(problems.filter(({ data }) => String(data.message).includes(last))).toHaveLength(1);
  await pass(running, hour);
  expect(await problemsOf(running)).toHaveLength(25);
  await pass(running, day);
  expect(chat.arrivals).toHaveLength(25);
});

it('without a subscriber, nothing is stored; a later one learns of what still exists', async () => {
  const running = await start();
  await change(running, await subscribe(running, 'http://127.0.0.1:9/', { name: 'Off' }), 'off');
  await pass(running, hour);
  expect(await problemsOf(running)).toEqual([]);
  const chat = await startReceiver();
  await subscribe(running, chat.url, { events: relayProblemEventKind.types });
  await pass(running, 0);
  expect(chat.arrivals).toHaveLength(1);
});

it('"*" stands for the events of the service only', async () => {
  const { running, relay, deliver, call } = await watched();
  const [all, both] = [await startReceiver(), await startReceiver()];
  const from = new Date(relay.clock.now()).toISOString();
  const id = await subscribe(running, all.url, { events: ['*'] });
  await subscribe(running, both.url, { events: ['*', ...relayProblemEventKind.types] });
  await deliver({ id: '1', type });
  await change(running, await subscribe(running, 'http://127.0.0.1:9/'), 'off');
  await pass(running, 0);
  const typesOf = ({ arrivals }: typeof all) => arrivals.map(({ body }) => JSON.parse(body).type);
  expect(typesOf(all)).toEqual([type]);
  expect(typesOf(both).sort()).toEqual([type, 'relay.subscription_off']);
  const missing = await call('POST', `/subscriptions/${id}/redeliver`, { missing: true, from });
  expect(missing.body).toEqual({ deliveries: 0, has_more: false });
});

it("the operator's address gets the problems of every source, signed", async () => {
  const { url: problemUrl, arrivals } = await startReceiver();
  const running = await start({ problemUrl });
  const { relay } = running;
  const id = await subscribe(running, 'http://127.0.0.1:9/');
  await change(running, id, 'off');
  await relay.clock.advance(0);
  const { signingSecret } = await relay.tokens.rotate('main', 'relay problems');
  await change(running, id, 'active');
  await relay.clock.advance(3_600_000);
  await change(running, id, 'off');
  await relay.clock.advance(0);
  expect(arrivals).toHaveLength(2);
  const [first, second] = arrivals;
  expect(JSON.parse(first?.body ?? '').text).toContain('switched off by an operator');
  const verified = verifyWebhook({
    body: second?.body ?? '',
    signature: second?.headers['x-service-signature'],
    secrets: [signingSecret],
    now: () => relay.clock.now(),
  });
  expect(verified.type).toBe('relay.subscription_off');
});

it('another address replaces it, and none ends it, at the next start; one that is off stays off', async () => {
  const databaseUrl = await freshDatabase();
  const subscriptions = async (problemUrl?: string, isSwitchedOff = false) => {
    const { relay } = await start({ databaseUrl, ...(problemUrl && { problemUrl }) });
    const { data } = await relay.operate('subscriptions.list', { source: 'main' });
    if (isSwitchedOff)
      await relay.operate('subscriptions.change', { id: data[0]?.id ?? '', state: 'off' });
    await relay.close();
    return data.map(({ target_url, state }) => [target_url, state]);
  };
  const [one, two] = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two'];
  expect(await subscriptions(one)).toEqual([[one, 'active']]);
  expect(await subscriptions(one, true)).toEqual([[one, 'active']]);
  expect(await subscriptions(one)).toEqual([[one, 'off']]);
  expect(await subscriptions(two)).toEqual([[two, 'active']]);
  expect(await subscriptions()).toEqual([]);
});

it('an address that no delivery may go to stops the start', async () => {
  const databaseUrl = await freshDatabase();
  const relay = createRelay({ databaseUrl, secretKey, problemUrl: 'http://chat.example.com/1' });
  await expect(relay).rejects.toThrow(
    /^RELAY_PROBLEM_URL: use https; http works only for targets in RELAY_ALLOW_TARGETS, which the relay reads from its environment when it starts, and chat\.example\.com is not one of them\.$/,
  );
});

it('a Zap that was turned off and on is not reported, and one that was only turned off is named as that', async () => {
  const { running, deliver } = await watched();
  const old = await startReceiver([410]);
  await subscribe(running, old.url, { name: 'Zap' });
  await subscribe(running, (await startReceiver()).url, { name: 'Zap' });
  const other = await startReceiver([410]);
  await subscribe(running, other.url, { name: 'Other' });
  await deliver({ id: '1', type });
  await pass(running, 0);
  const messages = async () => (await problemsOf(running)).map(({ data }) => data.message);
  const { host } = new URL(other.url);
  expect(await messages()).toEqual([
    `"Other" (${host}) gets no more events: the target responded with 410 (Gone), the last time for campaign.paid. Fix the cause, then switch the subscription on and recover.`,
  ]);
  await subscribe(running, 'https://hooks.zapier.com/hooks/standard/1/', { name: 'Alone' });
  await running.query(`WITH off AS (
        UPDATE subscription SET state = 'off', off_reason = 'gone', stopped_at = now()
        WHERE name = 'Alone' RETURNING number)
      INSERT INTO problem (subscription_number, type, count, at)
      SELECT number, 'relay.subscription_off', 1, now() FROM off`);
  await pass(running, minute);
  expect((await messages())[1]).toBe(
    '"Alone" (hooks.zapier.com) gets no more events: the Zap was turned off, so its hook responded with 410 (Gone). Fix the cause, then switch the subscription on and recover.',
  );
});
