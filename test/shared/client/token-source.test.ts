import { describe, expect, it } from '@jest/globals';
import { clientCredentials } from '@screen-advertising/core';
import { sharedAccess } from '../../../shared/src/client/shared-access.ts';
import { rejection } from '../support/rejection.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { Held, problem, token } from '../support/steps.ts';
import { fifty, get, hour, second, useTokenBench } from '../support/token-bench.ts';

const bench = useTokenBench();

describe('a token request (section 4.1)', () => {
  it('carries the credentials as JSON, and no authorization', async () => {
    bench.issue('t1');
    await get(bench.clientWithToken());
    const [request] = bench.tokenRequests;
    expect(JSON.parse(request?.body ?? '')).toEqual({
      client_id: 'the-client',
      client_secret: 'the-client-secret',
    });
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it('is made once by 50 concurrent calls', async () => {
    bench.issue('t1');
    expect(await Promise.all(fifty(bench.clientWithToken()))).toHaveLength(50);
    expect(bench.tokenRequests).toHaveLength(1);
    expect(bench.callsSent).toHaveLength(50);
  });

  it('is shared by clients of the same access, and by no others', async () => {
    bench.issue('t1');
    await Promise.all([
      get(bench.clientWithToken()),
      get(bench.clientWithToken()),
      get(bench.clientWithToken({ rateLimit: false })),
    ]);
    expect(bench.tokenRequests).toHaveLength(1);
    const wrong = clientCredentials({ ...bench.credentials, clientSecret: 'another' });
    await get(bench.client({ auth: wrong }));
    expect(bench.tokenRequests).toHaveLength(2);
  });
});

describe('a token', () => {
  it('is reused for its whole hour, and then replaced once by 50 concurrent calls', async () => {
    bench.issue('t1', 't2');
    await get(bench.clientWithToken());
    await bench.clock.advance(hour - 121 * second);
    await get(bench.clientWithToken());
    expect(bench.tokenRequests).toHaveLength(1);
    await bench.clock.advance(121 * second);
    await Promise.all(fifty(bench.clientWithToken()));
    expect(bench.tokenRequests).toHaveLength(2);
    expect(bench.callsSent.at(-1)?.headers.authorization).toBe('Bearer t2');
  });

  it('is renewed in its last minute, when it might expire while a request waits', async () => {
    bench.issue('t1', 't2');
    await get(bench.clientWithToken());
    await bench.clock.advance(hour - 60 * second);
    await get(bench.clientWithToken());
    expect(bench.callsSent.at(-1)?.headers.authorization).toBe('Bearer t2');
  });

  it('stays in use to its end while it cannot be renewed, which is tried every 6 s', async () => {
    bench.service.on('POST /oauth/token', token('t1'), problem(503), problem(503), token('t2'));
    bench.accept('t1', 't2');
    await get(bench.clientWithToken());
    await bench.clock.advance(hour - 59 * second);
    for (let elapsed = 0; elapsed < 12; elapsed += 1) {
      await Promise.all([get(bench.clientWithToken()), get(bench.clientWithToken())]);
      await bench.clock.advance(second);
    }
    expect(bench.tokenRequests).toHaveLength(1 + 2);
    expect(bench.callsSent.at(-1)?.headers.authorization).toBe('Bearer t1');
    await get(bench.clientWithToken());
    expect(bench.callsSent.at(-1)?.headers.authorization).toBe('Bearer t2');
  });

  it('is not used from its end on, also when it cannot be renewed', async () => {
    bench.service.on('POST /oauth/token', token('t1'), problem(503));
    bench.accept('t1');
    const client = bench.clientWithToken({ retry: false });
    await get(client);
    await bench.clock.advance(hour);
    expect(await rejection(get(client))).toMatchObject({ operation: 'token', status: 503 });
    expect(bench.callsSent).toHaveLength(1);
  });

  it.each([
    ['600 as a text', '600', 600],
    ['nothing', undefined, 3600],
    ['null', null, 3600],
    ['zero', 0, 3600],
    ['a word', 'soon', 3600],
  ])('with %s as its lifetime lives that long', async (_what, expires_in, seconds) => {
    bench.service.on('POST /oauth/token', token('t1', { expires_in }), token('t2'));
    bench.accept('t1', 't2');
    await get(bench.clientWithToken());
    await bench.clock.advance((seconds - 130) * second);
    await get(bench.clientWithToken());
    expect(bench.tokenRequests).toHaveLength(1);
    await bench.clock.advance(130 * second);
    await get(bench.clientWithToken());
    expect(bench.tokenRequests).toHaveLength(2);
  });

  it('lives from the time of its request, not from the time of its response', async () => {
    const slow = new Held();
    bench.service.on('POST /oauth/token', slow.step, token('t2'));
    bench.accept('t1', 't2');
    const first = get(bench.clientWithToken());
    await bench.clock.settle();
    await bench.clock.advance(20 * second);
    slow.answer(token('t1', { expires_in: 60 }));
    await first;
    await bench.clock.advance(36 * second);
    await get(bench.clientWithToken());
    expect(bench.callsSent.at(-1)?.headers.authorization).toBe('Bearer t2');
  });

  it('that lives for a minute is used for nine tenths of it', async () => {
    const minute = { expires_in: 60 };
    bench.service.on('POST /oauth/token', token('t1', minute), token('t2', minute));
    bench.accept('t1', 't2');
    for (const passed of [0, 53, 1]) {
      await bench.clock.advance(passed * second);
      await get(bench.clientWithToken());
    }
    const used = bench.callsSent.map(({ headers }) => headers.authorization);
    expect(used).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  it('that expires while a call waits for its turn is replaced after the refusal', async () => {
    bench.service.on('POST /oauth/token', token('t1', { expires_in: 50 }), token('t2'));
    bench.accept('t1');
    const slow = bench.clientWithToken({ rateLimit: { requests: 1, perMs: 60_000 } });
    await get(slow);
    const waiting = get(slow);
    await bench.clock.settle();
    bench.accept('t2');
    expect(await bench.clock.run(waiting)).toEqual({ id: 'scr_1' });
  });
});

describe('a refused token', () => {
  it('is replaced once, and the call sent again', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    bench.accept('t2');
    expect(await get(bench.clientWithToken({ retry: false }))).toEqual({ id: 'scr_1' });
    expect(bench.tokenRequests).toHaveLength(2);
    expect(bench.callsSent).toHaveLength(2);
  });

  it('that was already replaced costs no further request', async () => {
    const late = new Held();
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    bench.service.on('GET /screens/scr_1', late.step, problem(401), { body: { id: 'scr_1' } });
    const slow = get(bench.clientWithToken());
    await bench.clock.settle();
    await get(bench.clientWithToken());
    late.answer(problem(401));
    expect(await slow).toEqual({ id: 'scr_1' });
    expect(bench.tokenRequests).toHaveLength(2);
  });

  it('twice is final', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    bench.accept('t3');
    expect(await rejection(get(bench.clientWithToken()))).toMatchObject({
      code: 'authentication_failed',
      status: 401,
      message:
        'Get Screen failed: the service did not accept the credentials (401). The service says: "What went wrong." Check that they are complete, belong to this base URL, and have not been revoked.',
    });
    expect(bench.tokenRequests).toHaveLength(2);
    expect(bench.callsSent).toHaveLength(2);
  });

  it('after the other costs no more than 10 token requests a minute', async () => {
    bench.service.on('POST /oauth/token', token('t1'));
    bench.service.on('GET /screens/scr_1', problem(401));
    const startedAt = bench.clock.now();
    for (let nth = 0; nth < 15; nth += 1) {
      bench.service.on('POST /oauth/token', token(`t${nth}`));
      await bench.clock.run(rejection(get(bench.clientWithToken())));
      const isFirstMinute = bench.clock.now() - startedAt <= 60_000;
      expect(isFirstMinute ? bench.tokenRequests.length : 0).toBeLessThanOrEqual(10);
    }
    expect(bench.tokenRequests.length).toBeGreaterThan(10);
    expect(bench.clock.now() - startedAt).toBeGreaterThan(60_000);
  });

  it('is replaced for a change too, since nothing was changed', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    bench.service.on('POST /landing-links', problem(401), { status: 201, body: { url: 'u' } });
    expect(await bench.clientWithToken().landingLinks.create({})).toEqual({ url: 'u' });
  });
});

it('the clients of an access share its token and its limit, and those of others do not', () => {
  const clock = new SimulatedClock();
  const limit = { requests: 600, perMs: 60_000 };
  const open = (clientSecret: string, perMs = limit.perMs) => {
    const auth = clientCredentials({ clientId: 'id', clientSecret });
    return sharedAccess(clock, 'https://service.example/api/v1', auth, { ...limit, perMs });
  };
  const { tokens, limiter } = open('a');
  expect(open('a').tokens).toBe(tokens);
  expect(open('a').limiter).toBe(limiter);
  expect(open('a', 1000).limiter).not.toBe(limiter);
  expect(open('b').tokens).not.toBe(tokens);
});
