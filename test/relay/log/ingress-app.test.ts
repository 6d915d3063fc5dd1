import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { eventually } from '../../support/eventually.ts';
import { openPage } from '../page/support.ts';
import { startActor } from '../support/actor.ts';
import {
  migratedDatabase,
  onDatabase,
  ownSource,
  type Running,
  sourceSecret,
  start,
  startAt,
  subscribe,
} from '../support/running-relay.ts';

const event = { id: 'evt_1', type: 'coupon.redeemed', data: { code: 'SPRING-25' } };

const now = Date.parse(startAt) / 1000;

let shared: Running;

beforeAll(async () => {
  shared = await start();
});

async function stored({ relay, source }: Running): Promise<number> {
  return (await relay.operate('events.list', { source })).data.length;
}

describe('ingress', () => {
  it('stores what the service signed, once per event ID', async () => {
    const running = await ownSource(shared);
    expect(await running.deliver(event)).toMatchObject({ status: 202, body: { stored: true } });
    expect(await running.deliver(event)).toMatchObject({ status: 200, body: { stored: false } });
    const others = [
      { ...event, id: 'evt_2' },
      { ...event, type: 'campaign.paid' },
    ];
    for (const other of others) expect((await running.deliver(other)).status).toBe(202);
    const { id: _id, ...withoutId } = event;
    for (const one of [
      { ...event, id: 'evt_3' },
      { ...withoutId, data: { code: 'AUTUMN' } },
    ]) {
      const twice = await Promise.all(Array.from({ length: 8 }, () => running.deliver(one)));
      expect(twice.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 202]);
    }
    expect(await stored(running)).toBe(5);
  });

  it('accepts the same body without an ID after 15 minutes if newly signed, but never a recorded request', async () => {
    const running = await ownSource(shared);
    const now = Math.floor(running.relay.clock.now() / 1000);
    const { id: _id, ...body } = event;
    const ahead = now + 890;
    expect((await running.deliver(body, { signedAt: ahead })).status).toBe(202);
    expect((await running.deliver(body, { signedAt: now })).status).toBe(200);
    await running.relay.clock.advance(15 * 60_000);
    // Recent enough for the verifier, since the sender's clock was ahead.
    expect((await running.deliver(body, { signedAt: ahead })).status).toBe(200);
    expect((await running.deliver(body, { signedAt: ahead + 30 })).status).toBe(202);
    expect(await stored(running)).toBe(2);
  });

  it('accepts the previous secret for seven days after a rotation', async () => {
    const running = await ownSource(shared);
    await running.relay.sources.rotate(running.source, 'the-next-secret');
    await running.relay.clock.advance(7 * 24 * 3_600_000 - 1000);
    expect(
      (await running.deliver({ ...event, id: 'a' }, { secret: 'the-next-secret' })).status,
    ).toBe(202);
    const before = await running.deliver({ ...event, id: 'b' });
    expect(before.status).toBe(202);
  });

  it('stores 100 levels, which every list can show, and refuses very many at once', async () => {
    const { deliver, call } = await ownSource(shared);
    const nested = (open: string, depth: number, close: string) =>
      `{"id":"1","type":"a","data":{"deep":${open.repeat(depth)}1${close.repeat(depth)}}}`;
    for (const text of [nested('[', 100_000, ']'), nested('{"a":', 100_000, '}')]) {
      expect((await deliver(text)).status).toBe(400);
    }
    expect((await deliver(nested('[', 98, ']'))).status).toBe(202);
    const { status, body } = await call('GET', '/events');
    expect([status, body.data.length]).toEqual([200, 1]);
  });

  it('responds to an unknown source without its body, and without a query each', async () => {
    const running = await start();
    expect((await fetch(`${running.url}/in/main`)).status).toBe(405);
    await running.deliver(event);
    await running.query('ALTER TABLE source RENAME TO away');
    const { host, hostname, port } = new URL(running.url);
    for (const path of ['/in/other', '/in/__proto__', '/in/main/more', '/in/']) {
      const socket = connect(Number(port), hostname);
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000000\r\n\r\n{"id":`;
      socket.write(head);
      const [answer] = await once(socket, 'data');
      expect([path, String(answer).split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 404 Not Found']);
      socket.destroy();
    }
  });

  it('never responds with 2xx if it cannot store', async () => {
    const running = await start();
    await running.query('ALTER TABLE event RENAME TO away');
    expect((await running.deliver(event)).status).toBe(500);
  });
});

it('a relay that closes stores the event whose body is still on its way', async () => {
  const { relay, url, source } = await start();
  const body = '{"id":"evt_1","type":"coupon.redeemed","data":{"code":"SPRING-25"}}';
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(
    [
      `POST /in/${source} HTTP/1.1`,
      'Host: relay.test',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `X-Service-Signature: ${signWebhook({ body, secret: sourceSecret, timestamp: now })}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  await eventually(() => received.includes('100 Continue'), 'the relay reads the body');
  const closing = relay.close();
  await eventually(
    () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    'the relay accepts no connection',
  );
  socket.write(body);
  await closing;
  await closed;
  expect(received).toMatch(/HTTP\/1\.1 202 Accepted/);
});

const noteCommits = `
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$;
CREATE TABLE noted (place text, waits text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO noted VALUES (TG_TABLE_NAME, current_setting('synchronous_commit'));
  RETURN NULL;
END $$;
CREATE TRIGGER note AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER note AFTER INSERT ON attempt FOR EACH ROW EXECUTE FUNCTION note()`;

it('an acknowledged event is on the disk, whatever attempts were recorded before; an attempt need not be', async () => {
  const databaseUrl = await migratedDatabase();
  await onDatabase(databaseUrl, (client) => client.query(noteCommits));
  const running = await start({ databaseUrl });
  const { url } = await startActor();
  await subscribe(running, url);
  for (const id of ['1', '2']) {
    expect((await running.deliver({ id, type: 'campaign.paid' })).status).toBe(202);
    await running.relay.clock.advance(1_000);
  }
  const { rows } = await running.query('SELECT * FROM noted');
  expect(rows).toEqual([
    { place: 'event', waits: 'on' },
    { place: 'attempt', waits: 'off' },
    { place: 'event', waits: 'on' },
    { place: 'attempt', waits: 'off' },
  ]);
});

const type = 'campaign.paid';
const hmac = (algorithm: string, content: string) =>
  createHmac(algorithm, sourceSecret).update(content).digest('hex');
const usual = { algorithm: 'sha256', signed_content: '{t}.{body}', key: 'text' };
const bodyOnly = { algorithm: 'sha512', signed_content: '{body}', key: 'text' };

it('a source and its page show how the service signs and since when, and the log a change', async () => {
  const logged: object[] = [];
  const write = (fields: object, text: string) => logged.push({ ...fields, text });
  const log = { debug: () => {}, info: write, warn: write, error: write };
  const { visitor, relay, deliver } = await openPage({ log });
  expect(await relay.sources.list()).toMatchObject([{ scheme: null, scheme_since: null }]);
  await deliver({ id: '1', type });
  await relay.clock.advance(2_000);
  await deliver({ id: '2', type });
  const [before] = await relay.sources.list();
  expect(before).toMatchObject({ scheme: usual, scheme_since: new Date(startAt), note: null });
  const body = JSON.stringify({ id: '3', type });
  const signature = `t=${now},v1=${hmac('sha512', body)}`;
  expect((await deliver(body, { signature })).status).toBe(202);
  const [after] = await relay.sources.list();
  expect(after).toMatchObject({
    scheme: bodyOnly,
    scheme_since: new Date('2027-03-01T09:00:02.000Z'),
    note: 'The signature covers only the body, so a recorded delivery can be sent again: that duplicates are dropped is the only defense.',
  });
  const to = 'HMAC-SHA-256 of {t}.{body} with the secret';
  expect(logged).toEqual([
    { source: 'main', to, text: 'The service signs the deliveries of a source' },
    {
      source: 'main',
      from: to,
      to: 'HMAC-SHA-512 of {body} with the secret',
      text: 'The service signs the deliveries of a source in a new way',
    },
  ]);
  const { html } = await visitor.get('/operator/sources');
  expect(html).toContain('HMAC-SHA-512 of {body} with the secret, since');
  expect(html).toContain('The signature covers only the body');
});
