import { describe, expect, it } from '@jest/globals';
import { start } from '../support/running-sandbox.ts';

describe('the journal', () => {
  it('lists each request, its caller and its result', async () => {
    const { sandbox, call } = await start();
    await call('GET', '/screens?limit=1');
    await call('GET', '/nothing', { token: null });
    expect(sandbox.journal.list()).toEqual([
      {
        id: 1,
        at: '2027-03-01T09:00:00.000Z',
        method: 'GET',
        path: '/screens?limit=1',
        operation: 'screen.list',
        access: 'full',
        authorization: 'api key',
        requestBody: null,
        responseBody: expect.stringMatching(/^\{"data":\[\{"id":"scr_berlin_0001",/),
        status: 200,
        durationMs: expect.any(Number),
        faults: [],
      },
      expect.objectContaining({
        path: '/nothing',
        operation: null,
        access: null,
        authorization: 'none',
        responseBody: expect.stringContaining('"title":"Not found"'),
        status: 404,
      }),
    ]);
    sandbox.journal.clear();
    expect(sandbox.journal.list()).toEqual([]);
  });

  it('keeps request bodies, but only the kind of authorization', async () => {
    const { sandbox, call, limited } = await start();
    const body = { discount_type: 'percent' };
    await call('POST', '/coupons', { body, headers: { authorization: 'Basic YTpi' }, token: null });
    await call('GET', '/screens', { token: 'some-access-token' });
    await call('GET', '/screens', { token: limited.apiKey });
    expect(sandbox.journal.list()).toMatchObject([
      { authorization: 'other', requestBody: '{"discount_type":"percent"}' },
      { authorization: 'access token', requestBody: null, access: null },
      { authorization: 'api key', access: 'limited' },
    ]);
  });

  it('keeps the problem document of a refusal, and what a fault made of a response', async () => {
    const { sandbox, call } = await start();
    const body = { discount_type: 'percent', discount_value: 10, lead_email: 'a@example.com' };
    await call('POST', '/coupons', { body });
    await call('POST', '/coupons', { body });
    sandbox.faults.add({ fault: 'empty-body', times: 1 });
    await call('GET', '/screens?limit=1');
    expect(sandbox.journal.list().slice(1)).toMatchObject([
      { status: 409, responseBody: expect.stringContaining('a@example.com already has an active') },
      { status: 200, responseBody: null },
    ]);
  });

  it('writes a line for each request and each attempt to deliver an event', async () => {
    const lines: string[] = [];
    const { sandbox, call } = await start({ log: (line) => lines.push(line) });
    await call('GET', '/screens?limit=1');
    await call('GET', '/coupons/svc_mistyped_key_123');
    sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
    await sandbox.fire('campaign.paid');
    expect(lines).toEqual([
      '09:00:00  200  GET   /screens?limit=1  full',
      '09:00:00  404  GET   /coupons/[redacted]  full',
      '09:00:00  connect ECONNREFUSED 127.0.0.1:1  campaign.paid to http://127.0.0.1:1/',
    ]);
  });

  it('contains no secret, wherever it was sent', async () => {
    const { sandbox, call, full, second } = await start();
    const token = async () => {
      const body = { client_id: full.clientId, client_secret: full.clientSecret };
      return JSON.parse((await call('POST', '/oauth/token', { body })).text).access_token;
    };
    const accessToken = await token();
    const secrets = [accessToken, full.apiKey, full.clientSecret, second.signingSecret];
    const foreign = ['svc_mistyped_key_123'];
    for (const secret of [...secrets, ...foreign]) {
      await call('GET', `/coupons/${secret}?key=${secret}`, { token: secret });
      await call('POST', '/landing-links', { body: { utm_term: secret } });
      await call('POST', '/oauth/token', { body: { client_id: 'x', client_secret: secret } });
      await call('POST', '/oauth/token', { body: `broken ${secret}` });
    }
    const body = { client_id: 'x', client_secret: 'secret of a real access' };
    await call('POST', '/oauth/token', { body });
    foreign.push(body.client_secret);
    // A token request to a mistyped path, cut off, as a form, in a query, and nested.
    const mistyped: [body: unknown, shown: string][] = [
      [{ a: [{ client_secret: 'secret first' }] }, '{"a":[{"client_secret":"[redacted]"}]}'],
      [
        '{"client_secret" : "secret \\" second half", "b": 1}',
        '{"client_secret" : "[redacted]", "b": 1}',
      ],
      ['{"client_secret":"secret cut off\\', '{"client_secret":"[redacted]"'],
      ['{"client_secret":20270301,"b":2}', '{"client_secret":"[redacted]","b":2}'],
      ['client_secret=secret%20of%20a%20form&c=3', 'client_secret=[redacted]&c=3'],
    ];
    for (const [sent, shown] of mistyped) {
      await call('POST', '/oauth/tokens', { body: sent });
      expect(sandbox.journal.list().at(-1)).toMatchObject({ requestBody: shown });
    }
    await call('GET', '/oauth/tokens?client_secret=secret%20in%20a%20query&d=4');
    expect(sandbox.journal.list().at(-1)?.path).toBe('/oauth/tokens?client_secret=[redacted]&d=4');
    foreign.push(
      'secret first',
      'second half',
      'cut off',
      '20270301',
      'of%20a%20form',
      'in%20a%20query',
    );
    const text = JSON.stringify([sandbox.journal.list(), sandbox.snapshot()]);
    for (const secret of [...secrets, ...foreign]) expect(text).not.toContain(secret);
    expect(text).toContain('[redacted]');
  });

  it('keeps the latest 1,000', async () => {
    const { sandbox } = await start();
    for (let made = 0; made < 1003; made += 1) await sandbox.fetch('http://sandbox/api/v1/x');
    const entries = sandbox.journal.list();
    expect([entries.length, entries[0]?.id, entries.at(-1)?.id]).toEqual([1000, 4, 1003]);
  });
});
