import { describe, expect, it } from '@jest/globals';
import { problemDetail, type Running, start } from '../support/running-sandbox.ts';

const times = async (count: number, call: () => Promise<{ status: number }>) => {
  const statuses: number[] = [];
  for (let made = 0; made < count; made += 1) statuses.push((await call()).status);
  return statuses;
};

const retryAfter = (reply: Awaited<ReturnType<Running['call']>>) => ({
  header: reply.headers.get('retry-after'),
  member: JSON.parse(reply.text).retry_after,
});

describe('requests of an access', () => {
  it('are limited to 600 in any minute; the next one learns how long to wait', async () => {
    const { sandbox, full, second } = await start();
    const call = (access = full) =>
      sandbox.fetch('http://sandbox/api/v1/coupons/NONE', {
        headers: { authorization: `Bearer ${access.apiKey}` },
      });
    expect(await times(300, call)).not.toContain(429);
    await sandbox.clock.advance(40_500);
    expect(await times(300, call)).not.toContain(429);
    const late = await call();
    const reply = { status: late.status, headers: late.headers, text: await late.text() };
    expect(problemDetail(reply, 429)).toBe(
      'The rate limit of this access is 600 requests in 60 seconds. Wait 20 s.',
    );
    expect(retryAfter(reply)).toEqual({ header: '20', member: 20 });
    expect((await call(second)).status).toBe(404);

    await sandbox.clock.advance(19_499);
    expect((await call()).status).toBe(429);
    await sandbox.clock.advance(1);
    expect((await call()).status).toBe(404);
  });

  it('count from zero in each window if the window is fixed', async () => {
    const { sandbox, call } = await start({
      startAt: '2027-03-01T09:00:50Z',
      rateLimit: { requests: 2, window: 'fixed' },
    });
    expect(await times(3, () => call('GET', '/screens'))).toEqual([200, 200, 429]);
    expect(retryAfter(await call('GET', '/screens'))).toEqual({ header: '10', member: 10 });
    await sandbox.clock.advance(10_000);
    expect(await times(3, () => call('GET', '/screens'))).toEqual([200, 200, 429]);
  });

  it('count together for its API key and its token', async () => {
    const { call, full } = await start({ rateLimit: { requests: 2 } });
    const body = { client_id: full.clientId, client_secret: full.clientSecret };
    const { text } = await call('POST', '/oauth/token', { token: null, body });
    const token = JSON.parse(text).access_token;
    expect(await times(1, () => call('GET', '/screens'))).toEqual([200]);
    expect(await times(2, () => call('GET', '/screens', { token }))).toEqual([200, 429]);
  });

  it('without a token are rejected, and not counted', async () => {
    const { call } = await start({ rateLimit: { requests: 1 } });
    expect(await times(3, () => call('GET', '/screens', { token: null }))).toEqual([401, 401, 401]);
    expect((await call('GET', '/screens')).status).toBe(200);
  });
});

it('token requests of an IP address are limited to 10 in any minute, for all clients and outcomes together', async () => {
  const { sandbox, call, second } = await start();
  const request = (client_secret = 'wrong') =>
    call('POST', '/oauth/token', { body: { client_id: second.clientId, client_secret } });
  expect(await times(10, request)).not.toContain(429);
  const late = await request(second.clientSecret);
  expect(problemDetail(late, 429)).toBe(
    'The rate limit of an IP address is 10 token requests in 60 seconds. Reuse the token for its whole hour. Wait 60 s.',
  );
  expect(retryAfter(late)).toEqual({ header: '60', member: 60 });
  await sandbox.clock.advance(60_000);
  expect((await request(second.clientSecret)).status).toBe(200);
});
