import { describe, expect, it } from '@jest/globals';
import type { RelayOptions } from '@screen-advertising/relay';
import { run } from '../../../packages/relay/src/cli/run.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { type Running, secretKey, start } from '../support/running-relay.ts';

const type = 'campaign.paid';

/** A running relay with three events, the last of them pending, and its command line. */
async function prepared(answers: number[] = [], options: RelayOptions = {}) {
  const receiver = await startReceiver(answers);
  const running = await start(options);
  const { body } = await running.call('PUT', '/subscriptions', {
    target_url: receiver.url,
    events: [type],
    name: 'Zap',
  });
  for (const id of ['1', '2', '3']) {
    await running.deliver({ id, type, data: {} });
    await running.relay.clock.advance(1_000);
  }
  const command = (...args: string[]) => commandOn(running, args);
  const json = async (...args: string[]) => {
    const { code, output, errors } = await command(...args, '--json');
    expect([code, errors]).toEqual([0, '']);
    return JSON.parse(output);
  };
  return { receiver, running, id: body.id as string, command, json };
}

async function commandOn({ databaseUrl, key }: Running, args: string[]) {
  let output = '';
  let errors = '';
  const code = await run(args, {
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
    readInput: async () => 'signing-secret-of-another-access',
    environment: {
      DATABASE_URL: databaseUrl,
      RELAY_SECRET_KEY: secretKey,
      RELAY_ALLOW_TARGETS: '127.0.0.1',
    },
    stop: new AbortController().signal,
  });
  for (const secret of [key.token, key.signingSecret])
    expect(output + errors).not.toContain(secret);
  return { code, output, errors };
}

describe('the command line', () => {
  it('delivers what a subscription missed, and an event to any subscription', async () => {
    const { running, receiver, json, command } = await prepared(Array(20).fill(200));
    const later = await startReceiver(Array(20).fill(200));
    const { body } = await running.call('PUT', '/subscriptions', {
      target_url: later.url,
      events: ['coupon.redeemed'],
    });
    const [event] = (await json('events', 'list', '--limit', '1')).data;
    expect(await json('events', 'replay', event.id, '--subscription', body.id)).toEqual({
      replayed: 1,
      has_more: false,
    });
    await running.deliver({ id: '7', type: 'user.registered', data: {} });
    const { body: all } = await running.call('PUT', '/subscriptions', {
      target_url: `${receiver.url}/all`,
      events: ['*'],
    });
    const missed = ['2027-03-01T09:00:01Z', '--until', '2027-03-01T09:00:03Z'];
    for (const period of [missed, ['2027-03-01T00:00:00Z']]) {
      const since = ['--since', ...period];
      expect(await json('subscriptions', 'replay-missing', all.id, ...since)).toEqual({
        deliveries: 2,
        has_more: false,
      });
    }
    expect((await command('subscriptions', 'replay-missing', all.id)).errors).toBe(
      'Give --since, such as --since 2027-03-01T09:00:00Z.\nRun screen-advertising-relay --help for usage.\n',
    );
  });

  it('retries a pending delivery', async () => {
    const { json, command } = await prepared([200, 500, 500, 500, 500]);
    const [pending] = (await json('deliveries', 'list', '--state', 'pending')).data;
    expect(await json('deliveries', 'retry', pending.id)).toEqual({
      retried: 1,
      has_more: false,
    });
    const [done] = (await json('deliveries', 'list', '--state', 'delivered')).data;
    expect((await command('deliveries', 'retry', done.id)).errors).toBe(
      'The delivery is not pending. To deliver it again, replay it.\n',
    );
  });

  it('retries several, and all of a subscription', async () => {
    const { running, json, command } = await prepared(Array(9).fill(500));
    const pending = async () => (await json('deliveries', 'list', '--state', 'pending')).data;
    const ids = (await pending()).map(({ id }: { id: string }) => id);
    expect(await json('deliveries', 'retry', ids[0], ids[1])).toEqual({
      retried: 2,
      has_more: false,
    });
    expect(await json('deliveries', 'retry', '--subscription', 'zap')).toEqual({
      retried: 3,
      has_more: false,
    });
    await running.relay.clock.advance(0);
    for (const [args, error] of [
      [[], 'Give the IDs of deliveries, or --subscription with its ID or name.'],
      [[ids[0], 'dlv_1'], 'ids.1: use 1 to 100 IDs of deliveries, such as ["dlv_0190…"].'],
      [['--subscription', 'nobody'], 'There is no subscription nobody.'],
    ] as const) {
      const { errors } = await command('deliveries', 'retry', ...args);
      expect(errors.split('\n')[0]).toBe(error);
    }
  });

  it('finds events by a whole value', async () => {
    const { running, command, json } = await prepared();
    await running.deliver({ id: '9', type, data: { email: 'anna@example.com' } });
    const { data } = await json('events', 'find', 'Anna@example.com');
    expect(data).toMatchObject([{ payload: { id: '9' } }]);
    expect((await json('events', 'find', 'anna', '--type', type)).data).toEqual([]);
    const { code, errors } = await command('events', 'find');
    expect([code, errors]).toEqual([
      2,
      'This command takes TEXT, not 0 arguments.\nRun screen-advertising-relay --help for usage.\n',
    ]);
  });

  it('lists, switches off and switches on subscriptions', async () => {
    const { running, id, command, json } = await prepared();
    expect(await json('subscriptions', 'list')).toEqual({
      data: [(await running.call('GET', `/subscriptions/${id}`)).body],
      pagination: { cursor: null, has_more: false },
    });
    expect(await json('subscriptions', 'off', id)).toMatchObject({
      state: 'off',
      off_reason: 'by_hand',
    });
    const listed = (await command('subscriptions', 'list')).output;
    expect(listed).toContain(`id              ${id}\n`);
    expect(listed).toContain(
      'events          campaign.paid\nname            Zap\nstate           off\n',
    );
    expect(await json('subscriptions', 'on', id)).toMatchObject({
      state: 'active',
      off_reason: null,
    });
    await running.deliver({ id: '4', type, data: {} });
    await running.relay.clock.advance(0);
    expect((await json('deliveries', 'list', '--limit', '1')).data).toMatchObject([
      { state: 'delivered' },
    ]);
  });

  it('lists events and deliveries, and replays them through the running senders', async () => {
    const { receiver, running, id, command, json } = await prepared([200, 410]);
    const events = await json('events', 'list', '--type', type, '--limit', '2');
    expect(events.data.map(({ payload }: { payload: { id: string } }) => payload.id)).toEqual([
      '3',
      '2',
    ]);
    const text = (await command('events', 'list', '--limit', '2')).output;
    expect(text).toContain(`There are more: --cursor ${events.pagination.cursor}\n`);
    const rest = await json('events', 'list', '--cursor', events.pagination.cursor);
    expect(rest.data).toHaveLength(1);
    const [dead] = (await json('deliveries', 'list', '--state', 'dead')).data;
    expect(dead).toMatchObject({ reason: 'gone', attempts: [{ status: 410 }] });
    expect(
      (await json('deliveries', 'list', '--subscription', id, '--event', dead.event_id)).data,
    ).toEqual([dead]);
    expect(await json('deliveries', 'get', dead.id)).toMatchObject({
      id: dead.id,
      attempts: [{ status: 410, response: { status: 410, is_binary: false } }],
    });
    expect((await command('deliveries', 'list', '--state', 'pending')).output).toBe('None.\n');
    expect(await command('deliveries', 'replay', dead.id)).toEqual({
      code: 1,
      output: '',
      errors: 'The subscription is off. Switch it on with `subscriptions on ID`, then replay.\n',
    });
    await json('subscriptions', 'on', id);
    const replays = [
      ['deliveries', 'replay', dead.id],
      ['deliveries', 'replay', '--subscription', id, '--state', 'delivered'],
      ['events', 'replay', dead.event_id],
      ['events', 'replay', dead.event_id, '--subscription', id],
    ];
    const counts = [];
    for (const args of replays) {
      counts.push((await json(...args)).replayed);
      expect((await json('deliveries', 'list', '--state', 'pending')).data).not.toEqual([]);
      await running.relay.clock.advance(0);
    }
    expect(counts).toEqual([1, 2, 1, 1]);
    expect(receiver.arrivals).toHaveLength(7);
  });

  it('prunes', async () => {
    const { json } = await prepared([], { startAt: '2020-01-01T00:00:00Z' });
    expect(await json('prune', '--older-than', '1d')).toEqual({ events: 3, subscriptions: 0 });
  });

  it('lists what a source refused, and no control characters', async () => {
    const { command, json, running } = await prepared();
    await running.deliver({ id: '9', type: 'campaign.paid' }, { signature: null });
    expect(await json('sources', 'refused', 'main')).toMatchObject([
      { reason: 'missing_signature', is_signature_readable: false, fits_source: null },
    ]);
    const name = 'Zap\u001b]0;x\u0007\u202e';
    await running.call('PUT', '/subscriptions', {
      target_url: 'https://a.example',
      events: [type],
      name,
    });
    const { output } = await command('subscriptions', 'list');
    expect(output).toContain('name            Zap\\u001b]0;x\\u0007\\u202e\n');
    expect((await command('sources', 'refused', 'main')).output).toContain(
      'reason          missing_signature\n',
    );
  });

  it('asks for the source if there are several', async () => {
    const { command, json } = await prepared();
    await command('sources', 'add', 'other');
    expect((await json('events', 'list', '--source', 'other')).data).toEqual([]);
    expect((await json('events', 'list', '--source', 'main')).data).toHaveLength(3);
    expect(await command('events', 'list')).toMatchObject({
      code: 1,
      errors: 'There are several sources: main, other. Choose one with --source.\n',
    });
    expect(await command('events', 'list', '--source', 'third')).toMatchObject({
      code: 1,
      errors: 'There is no source "third". There are: main, other.\n',
    });
  });

  it('says what to do after a mistake', async () => {
    const { running, id, command } = await prepared();
    const none = '0'.repeat(32);
    const rows: [args: string[], code: number, message: string][] = [
      [['subscriptions', 'off'], 2, 'This command takes ID, not 0 arguments.'],
      [['subscriptions', 'off', `sub_${none}`], 1, `There is no subscription sub_${none}.`],
      [
        ['events', 'list', '--kind', 'a'],
        2,
        'Unknown option "--kind". Options here: --type, --from, --to, --source, --limit, --cursor, --json, --help.',
      ],
      [['events', 'list', '--limit', '0'], 1, 'limit: use a whole number from 1 to 200.'],
      [['events', 'replay', id], 1, `There is no event ${id}, or it was pruned.`],
      [
        ['deliveries', 'list', '--state', 'lost'],
        1,
        'state: use pending, delivered, ignored or dead.',
      ],
      [['deliveries', 'replay'], 2, 'This command takes ID, not 0 arguments.'],
      [
        ['deliveries', 'replay', '--state', 'dead'],
        2,
        'Give the ID of a delivery, or --subscription ID with --state, --from, and --to.',
      ],
      [['prune'], 2, '--older-than must be days or hours, such as 30d or 12h, not "".'],
      [
        ['prune', '--older-than', '1w'],
        2,
        '--older-than must be days or hours, such as 30d or 12h, not "1w".',
      ],
      [
        ['prune', '--older-than', '0h'],
        1,
        'Events must stay for at least an hour, because the service may still retry them. Prune with --older-than 1h or more.',
      ],
      [['constructor'], 2, 'Unknown command "constructor".'],
    ];
    for (const [args, code, message] of rows) {
      const result = await command(...args);
      expect([args, result.code, result.errors.split('\n')[0]]).toEqual([args, code, message]);
    }
    const [token] = await running.relay.tokens.list();
    await running.relay.tokens.revoke('main', token?.name ?? '');
    expect((await command('subscriptions', 'on', id)).errors).toBe(
      'The token of this subscription was revoked. Create another, and subscribe with it.\n',
    );
  });

  it('shows all of these commands in its help', async () => {
    const { command } = await prepared();
    const { output } = await command('--help');
    for (const usage of [
      'subscriptions off ID',
      'deliveries replay [ID]',
      'prune --older-than 30d',
    ])
      expect(output).toContain(usage);
    expect(output).toMatch(/RELAY_RETENTION_DAYS.*\(30\)/);
    expect(output).toContain('apart from backups. Without that key, the\nsecrets in a backup');
  });
});
