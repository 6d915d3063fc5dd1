import { describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { onDatabase } from '../support/database.ts';
import { type Running, send, sourceSecret, start, startAt } from '../support/running-relay.ts';

const now = Date.parse(startAt) / 1000;
const event = { id: 'evt_1', type: 'coupon.redeemed', data: { code: 'SPRING-25' } };

async function stored({ databaseUrl }: Running): Promise<number> {
  const { rows } = await onDatabase(databaseUrl, (client) =>
    client.query('SELECT count(*)::integer AS count FROM event'),
  );
  return rows[0].count;
}

describe('ingress', () => {
  it('stores what the service signed, once per event ID', async () => {
    const running = await start();
    expect(await running.deliver(event)).toMatchObject({ status: 202, body: { stored: true } });
    expect(await running.deliver(event)).toMatchObject({ status: 200, body: { stored: false } });
    const others = [
      { ...event, id: 'evt_2' },
      { ...event, type: 'campaign.paid' },
    ];
    for (const other of others) expect((await running.deliver(other)).status).toBe(202);
    const twice = await Promise.all(
      Array.from({ length: 8 }, () => running.deliver({ ...event, id: 'evt_3' })),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([
      200, 200, 200, 200, 200, 200, 200, 202,
    ]);
    expect(await stored(running)).toBe(4);
  });

  it('accepts the same body without an ID after 15 minutes if newly signed, but never a recorded request', async () => {
    const running = await start();
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
    const running = await start();
    await running.relay.sources.rotate('main', 'the-next-secret');
    await running.relay.clock.advance(7 * 24 * 3_600_000 - 1000);
    expect(
      (await running.deliver({ ...event, id: 'a' }, { secret: 'the-next-secret' })).status,
    ).toBe(202);
    const before = await running.deliver({ ...event, id: 'b' });
    expect(before.status).toBe(202);
  });

  const body = JSON.stringify(event);
  const valid = signWebhook({ body, secret: sourceSecret, timestamp: now });
  const hex = valid.slice(-64);
  const refused: [
    name: string,
    status: number,
    detail: RegExp,
    signature: string | null,
    body: string,
  ][] = [
    ['without a signature', 401, /has no x-service-signature header/, null, body],
    ['with an empty signature', 401, /has no x-service-signature header/, '', body],
    [
      'signed with another secret',
      401,
      /matches none of the signing secrets/,
      signWebhook({ body, secret: 'x', timestamp: now }),
      body,
    ],
    ['with another body', 401, /matches none of the signing secrets/, valid, `${body} `],
    [
      'with a BOM before the body',
      401,
      /matches none of the signing secrets/,
      valid,
      `\uFEFF${body}`,
    ],
    [
      'signed too long ago',
      401,
      /901 s in the past/,
      signWebhook({ body, secret: sourceSecret, timestamp: now - 901 }),
      body,
    ],
    [
      'signed in the future',
      401,
      /901 s in the future/,
      signWebhook({ body, secret: sourceSecret, timestamp: now + 901 }),
      body,
    ],
    ['with t that is no number', 401, /t is not a number/, `t=NaN,v1=${hex}`, body],
    ['with t that starts as a number', 401, /t is not a number/, `t=${now}abc,v1=${hex}`, body],
    ['with two t', 401, /more than one t/, `t=${now},${valid}`, body],
    ['with an empty v1', 401, /no v1 is a signature/, `t=${now},v1=`, body],
    ['with a bare v1', 401, /no v1 is a signature/, `t=${now},v1`, body],
    [
      'with 100,000 signatures',
      401,
      /longer than 4096|431/,
      `t=${now}${`,v1=${hex}`.repeat(70)}`,
      body,
    ],
    [
      'that is not JSON',
      400,
      /not JSON/,
      signWebhook({ body: '{', secret: sourceSecret, timestamp: now }),
      '{',
    ],
    [
      'that is empty',
      400,
      /it is empty/,
      signWebhook({ body: '', secret: sourceSecret, timestamp: now }),
      '',
    ],
    [
      'that names no event',
      400,
      /names no event/,
      signWebhook({ body: '{}', secret: sourceSecret, timestamp: now }),
      '{}',
    ],
    [
      'whose event name the database cannot keep',
      400,
      /contains U\+0000/,
      signWebhook({ body: '{"type":"a\\u0000"}', secret: sourceSecret, timestamp: now }),
      '{"type":"a\\u0000"}',
    ],
  ];

  it('stores nothing that is forged, old, oversized or malformed', async () => {
    const running = await start();
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

  it('never responds with 2xx while the database is away', async () => {
    const running = await start();
    await onDatabase(running.databaseUrl, (client) =>
      client.query('ALTER TABLE event RENAME TO away'),
    );
    expect((await running.deliver(event)).status).toBe(500);
    const name = /test_\w+/.exec(running.databaseUrl)?.[0] ?? '';
    await onDatabase(running.databaseUrl.replace(name, 'postgres'), async (client) => {
      await client.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
    });
    expect(await running.deliver(event)).toMatchObject({
      status: 503,
      body: { detail: 'The database of the relay does not respond. Retry in 5 s.' },
    });
  });
});
