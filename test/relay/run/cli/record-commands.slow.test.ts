import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../../sandbox/support/receiver.ts';
import { command } from '../../support/command.ts';
import { type Options, type Running, start, subscribe } from '../../support/running-relay.ts';

const type = 'campaign.paid';

/** A running relay with three events, the last of them pending, and its command line. */
async function prepared(answers: number[] = [], options: Options = {}) {
  const receiver = await startReceiver(answers);
  const running = await start(options);
  const id = await subscribe(running, receiver.url, { name: 'Zap' });
  for (const event of ['1', '2', '3']) {
    await running.deliver({ id: event, type, data: {} });
    await running.relay.clock.advance(1_000);
  }
  const on = (...args: string[]) => commandOn(running, args);
  const json = async (...args: string[]) => {
    const { code, output, errors } = await on(...args, '--json');
    expect([code, errors]).toEqual([0, '']);
    return JSON.parse(output);
  };
  return { receiver, running, id, command: on, json };
}

async function commandOn({ databaseUrl, key }: Running, args: string[]) {
  const environment = { DATABASE_URL: databaseUrl, RELAY_ALLOW_TARGETS: '127.0.0.1' };
  const ended = await command(args, environment, 'signing-secret-of-another-access');
  for (const secret of [key.token, key.signingSecret])
    expect(ended.output + ended.errors).not.toContain(secret);
  return ended;
}

describe('the command line', () => {
  it('delivers what a subscription missed', async () => {
    const { running, receiver, json } = await prepared();
    const id = await subscribe(running, `${receiver.url}/all`, { events: ['*'] });
    const redeliver = (...args: string[]) => json('subscriptions', 'redeliver', id, ...args);
    const period = ['--from', '2027-03-01T09:00:01Z', '--to', '2027-03-01T09:00:03Z'];
    expect(await redeliver('--missing', ...period)).toEqual({ deliveries: 2, has_more: false });
    expect(await redeliver('--of', 'zap')).toEqual({ deliveries: 0, has_more: false });
  });

  it('retries several, and all of a subscription', async () => {
    const { json } = await prepared(Array(9).fill(500));
    const retry = ['subscriptions', 'retry', 'zap'];
    const { data } = await json('deliveries', 'list', '--state', 'pending');
    const [first, second] = data.map(({ id }: { id: string }) => id);
    expect(await json(...retry, '--deliveries', `${first},${second}`)).toEqual({
      deliveries: 2,
      has_more: false,
    });
    expect(await json(...retry)).toEqual({ deliveries: 3, has_more: false });
  });

  it("two commands lead from Anna's email address to her delivered event", async () => {
    const { running, command } = await prepared();
    for (const [id, lead_email] of [
      ['evt_0001', 'ben@example.com'],
      ['evt_0002', 'Anna@example.com'],
    ] as const) {
      await running.deliver({ id, type: 'coupon.redeemed', data: { lead_email } });
    }
    const { url, arrivals } = await startReceiver();
    await subscribe(running, url, { events: ['coupon.redeemed'], name: 'Coupons in n8n' });
    const found = await command('events', 'find', 'anna@example.com');
    const [, event = ''] = found.output.match(/^id +(evt_\w+)$/m) ?? [];
    const asked = await command('events', 'redeliver', event, '--subscription', 'Coupons in n8n');
    expect(asked.output).toMatch(/^deliveries +1$/m);
    await running.relay.clock.advance(0);
    expect(arrivals.map(({ body }) => JSON.parse(body).id)).toEqual(['evt_0002']);
  });

  it('lists, switches off and on, and limits subscriptions', async () => {
    const { running, id, command, json } = await prepared();
    expect(await json('subscriptions', 'list')).toEqual({
      data: [(await running.call('GET', `/subscriptions/${id}`)).body],
      pagination: { cursor: null, has_more: false },
    });
    const off = { state: 'off', off_reason: 'by_hand' };
    expect(await json('subscriptions', 'off', id)).toMatchObject(off);
    expect((await command('subscriptions', 'list')).output).toContain(
      'events          campaign.paid\nname            Zap\nstate           off\n',
    );
    const on = { state: 'active', off_reason: null };
    expect(await json('subscriptions', 'on', id)).toMatchObject(on);
    expect(await json('subscriptions', 'get', 'zap')).toEqual(
      (await running.call('GET', `/subscriptions/${id}`)).body,
    );
    const limit = ['subscriptions', 'limit', 'zap', '--max-concurrency', '2'];
    expect(await json(...limit)).toMatchObject({ max_concurrency: 2 });
    await subscribe(running, 'https://a.example', { name: 'ZAP' });
    expect((await command(...limit)).errors).toBe(
      'Several subscriptions are named "zap". Use the ID of one.\n',
    );
  });

  it('lists events and deliveries, and redelivers them through the running senders', async () => {
    const { receiver, running, id, command, json } = await prepared([200, 410]);
    const events = await json('events', 'list', '--type', type, '--limit', '2');
    expect(events.data.map(({ payload }: { payload: { id: string } }) => payload.id)).toEqual([
      '3',
      '2',
    ]);
    const text = (await command('events', 'list', '--limit', '2')).output;
    expect(text).toContain(`There are more: --cursor ${events.pagination.cursor}\n`);
    const [dead] = (await json('deliveries', 'list', '--state', 'dead')).data;
    expect(dead).toMatchObject({ reason: 'gone', attempts: [{ status: 410 }] });
    for (const subscription of [id, 'zap']) {
      const chosen = ['--subscription', subscription, '--event', dead.event_id];
      expect((await json('deliveries', 'list', ...chosen)).data).toEqual([dead]);
    }
    const period = ['--from', '2027-03-01T09:00:01Z', '--to', '2027-03-01T09:00:02Z'];
    const ofPeriod = (await json('deliveries', 'list', ...period)).data;
    expect(ofPeriod).toEqual([dead]);
    expect(await json('deliveries', 'get', dead.id)).toMatchObject({ id: dead.id });
    const shown = (await command('deliveries', 'get', dead.id)).output;
    expect(shown).toMatch(
      /^attempts\n {2}- at {14}2027-03-01T09:00:01.000Z\n {4}status {10}410\n {4}error {11}responded with status 410\n {4}duration_ms {5}\d+\n {4}response {8}\{.*\}\n$/m,
    );
    expect((await command('deliveries', 'list', '--state', 'pending')).output).toBe('None.\n');
    await json('subscriptions', 'on', id);
    const redeliveries = [
      ['subscriptions', 'redeliver', id, '--deliveries', dead.id],
      ['subscriptions', 'redeliver', id, '--states', 'delivered,dead'],
      ['events', 'redeliver', dead.event_id],
      ['events', 'redeliver', dead.event_id, '--subscription', id],
    ];
    const counts = [];
    for (const args of redeliveries) {
      counts.push((await json(...args)).deliveries);
      await running.relay.clock.advance(0);
    }
    expect(counts).toEqual([1, 3, 1, 1]);
    expect(receiver.arrivals).toHaveLength(9);
  });

  it('lists what a source refused, and why', async () => {
    const { running, json, command } = await prepared();
    await running.deliver({ id: '9', type }, { signature: null });
    expect(await json('sources', 'refused', 'main')).toMatchObject([
      { reason: 'missing_signature', is_signature_readable: false, fits_source: null },
    ]);
    const { output } = await command('sources', 'refused', 'main');
    expect(output).toContain('reason                missing_signature\n');
    expect(output).toContain('is_signature_readable false\n');
  });

  it('deletes a subscription, and says nothing', async () => {
    const { running, id, command } = await prepared();
    const deleted = await command('subscriptions', 'delete', 'zap');
    expect(deleted).toMatchObject({ code: 0, output: '', errors: '' });
    expect((await running.call('GET', `/subscriptions/${id}`)).status).toBe(404);
  });

  it('prunes', async () => {
    const { json } = await prepared([], { startAt: '2020-01-01T00:00:00Z' });
    expect(await json('prune', '--older-than', '1d')).toEqual({ events: 3, subscriptions: 0 });
  });

  it('prints no control characters', async () => {
    const { command, running } = await prepared();
    const name = 'Zap\u001b]0;x\u0007\u202e';
    await subscribe(running, 'https://a.example', { name });
    const { output } = await command('subscriptions', 'list');
    expect(output).toContain('name            Zap\\u001b]0;x\\u0007\\u202e\n');
    const inJson = await command('subscriptions', 'list', '--json');
    expect(inJson.output).not.toMatch(/(?!\n)\p{C}/u);
    expect(JSON.parse(inJson.output).data[0].name).toBe(name);
  });

  it('reads all sources, or the given one', async () => {
    const { command, json } = await prepared();
    await command('sources', 'add', 'other');
    expect((await json('events', 'list', '--source', 'other')).data).toEqual([]);
    expect((await json('events', 'list', '--source', 'main')).data).toHaveLength(3);
    expect((await json('events', 'list')).data).toHaveLength(3);
    expect(await command('events', 'list', '--source', 'third')).toMatchObject({
      code: 1,
      errors: 'There is no source "third". There are: main, other.\n',
    });
  });

  it('says what to do after a mistake', async () => {
    const { command } = await prepared();
    const rows: [args: string, code: number, message: string][] = [
      ['subscriptions off', 2, "error: missing required argument 'ID'"],
      ['subscriptions off sub_1', 1, 'There is no subscription sub_1.'],
      [
        'subscriptions limit zap',
        2,
        "error: required option '--max-concurrency <count>' not specified",
      ],
      ['subscriptions retry nobody', 1, 'There is no subscription nobody.'],
      ['events list --kind a', 2, "error: unknown option '--kind'"],
      ['events list --limit 0', 1, 'limit must be at least 1.'],
      ['events find', 2, "error: missing required argument 'TEXT'"],
      ['prune', 2, "error: required option '--older-than <age>' not specified"],
      [
        'prune --older-than 1w',
        2,
        "error: option '--older-than <age>' argument '1w' is invalid. Give days or hours, such as 30d or 12h.",
      ],
      ['constructor', 2, "error: unknown command 'constructor'"],
      ['events tail --form x', 2, "error: unknown option '--form'"],
      ['events tail --source x', 1, 'There is no source "x". There are: main.'],
      ['listen', 2, "error: required option '--forward-to <url>' not specified"],
      ...['localhost:3000', 'file:///etc/passwd'].map((url): [string, number, string] => [
        `listen --forward-to ${url}`,
        2,
        `error: option '--forward-to <url>' argument '${url}' is invalid. Give the URL of your program, such as http://localhost:3000/webhook.`,
      ]),
    ];
    for (const [args, code, message] of rows) {
      const result = await command(...args.split(' '));
      expect([args, result.code, result.errors.split('\n')[0]]).toEqual([args, code, message]);
    }
  });
});
