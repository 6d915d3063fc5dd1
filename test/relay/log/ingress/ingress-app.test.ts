import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { cutOff } from '../../support/cut-off.ts';
import { onDatabase } from '../../support/database.ts';
import { type Running, send, sourceSecret, start, startAt } from '../../support/running-relay.ts';

const now = Date.parse(startAt) / 1000;
const event = { id: 'evt_1', type: 'coupon.redeemed', data: { code: 'SPRING-25' } };

let shared: Running;

/** In the order of the tests, since time passes in the later ones. */
const sources = ['refusing', 'storing', 'without-id', 'rotated'];

beforeAll(async () => {
  shared = await start();
  for (const name of sources) await shared.relay.sources.add(name, sourceSecret);
});

/** The shared relay with a source of the test's own. */
function own(source: string): Running {
  const deliver: Running['deliver'] = (event, options) =>
    shared.deliver(event, { source, ...options });
  return { ...shared, source, deliver };
}

async function stored({ relay, source }: Running): Promise<number> {
  return (await relay.events.list({ source })).data.length;
}

describe('ingress', () => {
  const body = JSON.stringify(event);
  const sign = (content: string, secret = sourceSecret, timestamp = now) =>
    signWebhook({ body: content, secret, timestamp });
  const malformed = (name: string, detail: RegExp, content: string): Row => [
    ...([name, 400, detail, sign(content), content] as const),
  ];
  type Row = readonly [
    name: string,
    status: number,
    detail: RegExp,
    signature: string | null,
    body: string,
  ];
  const refused: Row[] = [
    ['without a signature', 401, /has no x-service-signature header/, null, body],
    ['with an empty signature', 401, /has no x-service-signature header/, '', body],
    ['with half a signature', 401, /no v1 is a signature/, `t=${now},v1=`, body],
    ['of another secret', 401, /matches none of the signing secrets/, sign(body, 'x'), body],
    ['with another body', 401, /matches none of the signing secrets/, sign(body), `${body} `],
    ['of long ago', 401, /901 s in the past/, sign(body, sourceSecret, now - 901), body],
    malformed('that is not JSON', /not JSON/, '{'),
    malformed('that is empty', /it is empty/, ''),
    malformed('that names no event', /names no event/, '{}'),
    malformed('that only the relay sends', /only the relay/, '{"type":"relay.subscription_off"}'),
    malformed('whose name the database cannot keep', /contains U\+0000/, '{"type":"a\\u0000"}'),
  ];

  it('stores nothing that is forged, old, oversized or malformed', async () => {
    const running = own('refusing');
    for (const [name, status, detail, signature, text] of refused) {
      const answer = await running.deliver(text, { signature });
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([
        name,
        status,
        'application/problem+json',
      ]);
      expect(answer.body.detail).toMatch(detail);
      expect(JSON.stringify(answer.body)).not.toContain(sourceSecret);
    }
    const large = JSON.stringify({ ...event, data: 'x'.repeat(1024 * 1024) });
    expect(await running.deliver(large)).toMatchObject({
      status: 413,
      body: { detail: 'The body is longer than 1048576 bytes.' },
    });
    expect(await running.deliver(event, { source: 'other' })).toMatchObject({
      status: 404,
      body: { detail: 'There is no source with this name.' },
    });
    expect((await send(`${running.url}/in/main`, 'GET', {})).status).toBe(405);
    expect(await stored(running)).toBe(0);
  });

  it('stores what the service signed, once per event ID', async () => {
    const running = own('storing');
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
    const running = own('without-id');
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
    const running = own('rotated');
    await running.relay.sources.rotate(running.source, 'the-next-secret');
    await running.relay.clock.advance(7 * 24 * 3_600_000 - 1000);
    expect(
      (await running.deliver({ ...event, id: 'a' }, { secret: 'the-next-secret' })).status,
    ).toBe(202);
    const before = await running.deliver({ ...event, id: 'b' });
    expect(before.status).toBe(202);
  });

  it('refuses more than 100 levels, so that every list can show the others', async () => {
    const { deliver, call } = shared;
    const arrays = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const nested = (data: string) =>
      `{"id":"nested","type":"campaign.paid","data":{"deep":${data}}}`;
    for (const data of [arrays(100_000), objects(100_000), arrays(100), objects(100)]) {
      const { status, body } = await deliver(nested(data));
      expect([status, body.detail]).toEqual([
        400,
        'The body of the delivery has more than 100 nested arrays and objects.',
      ]);
    }
    expect((await deliver(nested(arrays(98)))).status).toBe(202);
    const { status, body } = await call('GET', '/events');
    expect([status, body.data.length]).toEqual([200, 1]);
  });

  it('responds to an unknown source without its body, and without a query each', async () => {
    const running = await start();
    await running.deliver(event);
    await onDatabase(running.databaseUrl, (client) =>
      client.query('ALTER TABLE source RENAME TO away'),
    );
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

  it('never responds with 2xx while the database is away', async () => {
    const running = await start();
    await onDatabase(running.databaseUrl, (client) =>
      client.query('ALTER TABLE event RENAME TO away'),
    );
    expect((await running.deliver(event)).status).toBe(500);
    await cutOff(running.databaseUrl);
    expect(await running.deliver(event)).toMatchObject({
      status: 503,
      body: { detail: 'The database of the relay does not respond. Retry in 5 s.' },
    });
  });
});
