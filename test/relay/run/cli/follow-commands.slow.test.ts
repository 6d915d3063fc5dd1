import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { startReceiver } from '../../../sandbox/support/receiver.ts';
import { freePort } from '../../../support/free-port.ts';
import { startCommand } from '../../support/command.ts';
import { ownSource, type Running, start } from '../../support/running-relay.ts';

const type = 'campaign.paid';

const begin = ({ databaseUrl }: Running, ...args: string[]) =>
  startCommand(args, { DATABASE_URL: databaseUrl });

describe('events tail', () => {
  it('prints each event as it arrives, with both IDs, until it is stopped', async () => {
    const running = await start();
    await running.deliver({ id: 'before', type, data: {} });
    await running.relay.clock.advance(1_000);
    const all = begin(running, 'events', 'tail');
    const json = begin(running, 'events', 'tail', '--type', type, '--json');
    await Promise.all([all, json].map(({ shows }) => shows('errors', /Waiting for events/)));
    await running.deliver({ id: 'one', type, data: {} });
    await running.relay.clock.advance(1_000);
    await running.deliver({ id: 'two', type: 'user.registered', data: {} });
    await running.relay.clock.advance(1_000);
    await running.deliver({ id: 'three', type, data: { code: 'SPRING' } });
    await all.shows('output', /three/);
    await json.shows('output', /three.*\n/);
    expect([await all.end(), await json.end()]).toEqual([0, 0]);
    const { body } = await running.call('GET', '/events?limit=3');
    const line = ({ id, type: kind, payload, received_at }: (typeof body.data)[number]) =>
      `${received_at}  ${kind.padEnd(24)}  ${payload.id}  ${id}\n`;
    expect(all.printed.output).toBe(body.data.map(line).reverse().join(''));
    const records = json.printed.output.trim().split('\n');
    // How many wait for an event is not said of one that arrives just now.
    const [third, , first] = body.data.map(
      ({ waiting: _waiting, ...event }: object & { waiting: 0 }) => event,
    );
    expect(records.map((text) => JSON.parse(text))).toEqual([first, third]);
  });

  it('prints the events of every source, or of the named one', async () => {
    const running = await start();
    const other = await ownSource(running);
    const all = begin(running, 'events', 'tail');
    const named = begin(running, 'events', 'tail', '--source', other.source);
    await Promise.all([all, named].map(({ shows }) => shows('errors', /Waiting for events/)));
    await running.deliver({ id: 'one', type, data: {} });
    await all.shows('output', / {2}one {2}/);
    await other.deliver({ id: 'two', type, data: {} });
    await Promise.all([all, named].map(({ shows }) => shows('output', / {2}two {2}/)));
    await Promise.all([all.end(), named.end()]);
    expect(named.printed.output).not.toContain('  one  ');
  });

  it('prints no control characters', async () => {
    const running = await start();
    const [all, json] = [
      begin(running, 'events', 'tail'),
      begin(running, 'events', 'tail', '--json'),
    ];
    await Promise.all([all, json].map(({ shows }) => shows('errors', /Waiting for events/)));
    const name = '\u001b]0;x\u0007\u202e\n';
    await running.deliver({ id: name, type: name, data: { name } });
    await running.relay.clock.advance(1_000);
    await Promise.all([all, json].map(({ shows }) => shows('output', /u001b.*\n/)));
    await Promise.all([all.end(), json.end()]);
    for (const { printed } of [all, json]) {
      expect(printed.output.trimEnd()).not.toMatch(/\p{C}/u);
    }
  });
});

describe('listen', () => {
  it('sends each event once to a program on this machine, signed, without a subscription', async () => {
    const running = await start();
    const receiver = await startReceiver([200, 500]);
    const command = begin(running, 'listen', '--forward-to', receiver.url);
    const [, secret = ''] = await command.shows('errors', /signed with:\n(whsec_\S+)\n/);
    const body = '{"id":"one","type":"campaign.paid","data":{"n":12345678901234567890}}';
    await running.deliver(body);
    await running.deliver({ id: 'two', type, data: {} });
    await command.shows('output', / 500 in \d+ ms\n/);
    expect(await command.end()).toBe(0);
    expect(command.printed.output).toMatch(
      /^2027-03-01T09:00:00.000Z {2}campaign.paid {13}evt_[0-9a-f]{32} {2}200 in \d+ ms\n/,
    );
    const [first] = receiver.arrivals;
    expect(receiver.arrivals).toHaveLength(2);
    expect(String(first?.body)).toBe(body);
    const signature = first?.headers['x-service-signature'];
    expect(verifyWebhook({ body, signature, secrets: [secret] }).id).toBe('one');
    expect((await running.call('GET', '/subscriptions')).body.data).toEqual([]);
    expect((await running.call('GET', '/deliveries')).body.data).toEqual([]);
  });

  it('prints no password and no query of the address', async () => {
    const to = 'http://anna:hunter2@localhost:9/hook?key=hunter3';
    const command = begin(await start(), 'listen', '--forward-to', to);
    await command.shows('errors', /signed with:/);
    expect(command.printed.errors).toContain('to http://localhost:9/hook until Ctrl-C');
    expect(command.printed.errors).not.toMatch(/anna|hunter/);
  });

  it('continues when the program does not respond, and filters by type', async () => {
    const running = await start();
    const to = `http://127.0.0.1:${await freePort()}/`;
    const command = begin(running, 'listen', `--forward-to=${to}`, '--type', type, '--json');
    await command.shows('errors', /signed with/);
    await running.deliver({ id: 'one', type, data: {} });
    await running.deliver({ id: 'two', type: 'user.registered', data: {} });
    await running.deliver({ id: 'three', type, data: {} });
    await command.shows('output', /\n.*\n/);
    await command.end();
    const records = command.printed.output.trim().split('\n');
    expect(records.map((text) => JSON.parse(text))).toMatchObject(
      Array(2).fill({ type, status: null, error: expect.stringMatching(/ECONNREFUSED/) }),
    );
  });
});
