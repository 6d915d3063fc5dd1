import { describe, expect, it } from '@jest/globals';
import {
  type Client,
  type ClientOptions,
  clientCredentials,
  type StoredToken,
  TokenSource,
  type TokenStore,
} from '@screen-advertising/core';
import { eventually, rejection, useBench } from '../support/bench.ts';
import type { Step } from '../support/scripted-service.ts';
import { Held, problem, reset, silence, token } from '../support/steps.ts';

const bench = useBench();
const credentials = { clientId: 'the-client', clientSecret: 'the-secret' };
const second = 1000;
const hour = 3600 * second;

function client(options: Partial<ClientOptions> = {}, store?: TokenStore): Client {
  const auth = clientCredentials({ ...credentials, ...(store && { store }) });
  return bench.client({ auth, ...options });
}

/** Answers every call for a screen whose token is one of those that are good. */
function accept(...good: string[]): void {
  const step: Step = (response, service, { headers }) => {
    const isGood = good.some((one) => headers.authorization === `Bearer ${one}`);
    service.release(response, isGood ? { body: { id: 'scr_1' } } : problem(401));
  };
  bench.service.on('GET /screens/scr_1', step);
}

const get = (from: Client, signal?: AbortSignal): Promise<unknown> =>
  from.screens.get({ screenId: 'scr_1' }, signal ? { signal } : {});
const fifty = (from: Client): Promise<unknown>[] => Array.from({ length: 50 }, () => get(from));
const tokenRequests = () => bench.service.receivedFor('POST /oauth/token');
const callsSent = () => bench.service.receivedFor('GET /screens/scr_1');

/** A store as a database might be one. */
class MemoryStore implements TokenStore {
  readonly entries = new Map<string, StoredToken>();

  async get(key: string): Promise<StoredToken | undefined> {
    return this.entries.get(key);
  }

  async set(key: string, stored: StoredToken): Promise<void> {
    this.entries.set(key, stored);
  }
}

describe('a token request (section 4.1)', () => {
  it('carries the credentials as JSON, and no authorization', async () => {
    bench.service.on('POST /oauth/token', token('t1'));
    accept('t1');
    await get(client());
    const [request] = tokenRequests();
    expect(JSON.parse(request?.body ?? '')).toEqual({
      client_id: 'the-client',
      client_secret: 'the-secret',
    });
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it('is made once by 50 concurrent calls', async () => {
    bench.service.on('POST /oauth/token', token('t1'));
    accept('t1');
    expect(await Promise.all(fifty(client()))).toHaveLength(50);
    expect(tokenRequests()).toHaveLength(1);
    expect(callsSent()).toHaveLength(50);
  });

  it('is shared by clients of the same access, and by no others', async () => {
    bench.service.on('POST /oauth/token', token('t1'));
    accept('t1');
    await Promise.all([get(client()), get(client()), get(client({ rateLimit: false }))]);
    expect(tokenRequests()).toHaveLength(1);
    const wrong = clientCredentials({ ...credentials, clientSecret: 'another' });
    await get(bench.client({ auth: wrong }));
    expect(tokenRequests()).toHaveLength(2);
  });
});

describe('a token', () => {
  it('is reused for its whole hour, and then replaced once by 50 concurrent calls', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    accept('t1', 't2');
    await get(client());
    await bench.clock.advance(hour - 121 * second);
    await get(client());
    expect(tokenRequests()).toHaveLength(1);
    await bench.clock.advance(121 * second);
    await Promise.all(fifty(client()));
    expect(tokenRequests()).toHaveLength(2);
    expect(callsSent().at(-1)?.headers.authorization).toBe('Bearer t2');
  });

  it('is refreshed ahead in the background, once, while the old one still serves', async () => {
    const refresh = new Held();
    bench.service.on('POST /oauth/token', token('t1'), refresh.step);
    accept('t1', 't2');
    await get(client());
    await bench.clock.advance(hour - 59 * second);
    await Promise.all(fifty(client()));
    expect(tokenRequests()).toHaveLength(2);
    expect(callsSent().at(-1)?.headers.authorization).toBe('Bearer t1');
    refresh.answer(token('t2'));
    await bench.clock.settle();
    await get(client());
    expect(callsSent().at(-1)?.headers.authorization).toBe('Bearer t2');
    expect(tokenRequests()).toHaveLength(2);
  });

  it('goes on serving when the refresh fails, which is tried again no faster than every 6 s', async () => {
    bench.service.on('POST /oauth/token', token('t1'), problem(503));
    accept('t1');
    await get(client());
    await bench.clock.advance(hour - 59 * second);
    for (let elapsed = 0; elapsed < 12; elapsed += 1) {
      await Promise.all([get(client()), get(client())]);
      await bench.clock.advance(second);
    }
    expect(tokenRequests()).toHaveLength(1 + 2);
  });

  it('is not used in its last seconds, when it might end on the way', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    accept('t1', 't2');
    await get(client());
    await bench.clock.advance(hour - 4 * second);
    await get(client());
    expect(callsSent().at(-1)?.headers.authorization).toBe('Bearer t2');
  });

  it.each([
    ['600 as a text', '600', 600],
    ['nothing', undefined, 3600],
    ['null', null, 3600],
    ['zero', 0, 3600],
    ['a word', 'soon', 3600],
  ])('with %s as its lifetime lives so long', async (_what, expires_in, seconds) => {
    bench.service.on('POST /oauth/token', token('t1', { expires_in }), token('t2'));
    accept('t1', 't2');
    await get(client());
    await bench.clock.advance((seconds - 130) * second);
    await get(client());
    expect(tokenRequests()).toHaveLength(1);
    await bench.clock.advance(130 * second);
    await get(client());
    expect(tokenRequests()).toHaveLength(2);
  });

  it('of a few seconds is used for most of them', async () => {
    bench.service.on('POST /oauth/token', token('t1', { expires_in: 4 }), token('t2'));
    accept('t1', 't2');
    await get(client());
    await bench.clock.advance(3 * second);
    await get(client());
    expect(tokenRequests()).toHaveLength(1);
  });

  it('lives from when it was asked for, not from when it came', async () => {
    const slow = new Held();
    bench.service.on('POST /oauth/token', slow.step, token('t2'));
    accept('t1', 't2');
    const first = get(client());
    await bench.clock.settle();
    await bench.clock.advance(20 * second);
    slow.answer(token('t1', { expires_in: 60 }));
    await first;
    await bench.clock.advance(36 * second);
    await get(client());
    expect(callsSent().at(-1)?.headers.authorization).toBe('Bearer t2');
  });

  it('that ends while a call waits for its turn is replaced before the call is sent', async () => {
    bench.service.on('POST /oauth/token', token('t1', { expires_in: 50 }), token('t2'));
    accept('t1', 't2');
    const slow = client({ rateLimit: { requests: 1, perMs: 60_000 } });
    await get(slow);
    await bench.clock.run(get(slow));
    expect(callsSent().map(({ headers }) => headers.authorization)).toEqual([
      'Bearer t1',
      'Bearer t2',
    ]);
  });
});

describe('a call that gets no token after it has waited for its turn', () => {
  it('gives its turn back', async () => {
    bench.service.on(
      'POST /oauth/token',
      token('t1', { expires_in: 50 }),
      problem(401),
      token('t2'),
    );
    accept('t1', 't2');
    const slow = client({ rateLimit: { requests: 1, perMs: 60_000 } });
    await get(slow);
    expect(await bench.clock.run(rejection(get(slow)))).toMatchObject({
      code: 'authentication_failed',
    });
    expect(await bench.clock.run(get(slow))).toEqual({ id: 'scr_1' });
  });
});

describe('a refused token', () => {
  it('is replaced once, and the call sent again', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    accept('t2');
    expect(await get(client({ retry: false }))).toEqual({ id: 'scr_1' });
    expect(tokenRequests()).toHaveLength(2);
    expect(callsSent()).toHaveLength(2);
  });

  it('is replaced once for 50 concurrent calls', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    accept('t2');
    await Promise.all(fifty(client()));
    expect(tokenRequests()).toHaveLength(2);
  });

  it('that was replaced meanwhile costs no further request', async () => {
    const late = new Held();
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    bench.service.on('GET /screens/scr_1', late.step, problem(401), { body: { id: 'scr_1' } });
    const slow = get(client());
    await bench.clock.settle();
    await get(client());
    late.answer(problem(401));
    expect(await slow).toEqual({ id: 'scr_1' });
    expect(tokenRequests()).toHaveLength(2);
  });

  it('twice is final', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    accept('t3');
    expect(await rejection(get(client()))).toMatchObject({
      code: 'authentication_failed',
      status: 401,
      message:
        'Get Screen was refused because the credentials were not accepted (status 401). The service says: What went wrong. Check that they were copied whole, belong to this base URL and were not withdrawn.',
    });
    expect(tokenRequests()).toHaveLength(2);
    expect(callsSent()).toHaveLength(2);
  });

  it('after the other costs no more than 10 token requests a minute', async () => {
    bench.service.on('POST /oauth/token', token('t1'));
    bench.service.on('GET /screens/scr_1', problem(401));
    const startedAt = bench.clock.now();
    for (let nth = 0; nth < 15; nth += 1) {
      bench.service.on('POST /oauth/token', token(`t${nth}`));
      await bench.clock.run(rejection(get(client())));
      const isFirstMinute = bench.clock.now() - startedAt <= 60_000;
      expect(isFirstMinute ? tokenRequests().length : 0).toBeLessThanOrEqual(10);
    }
    expect(tokenRequests().length).toBeGreaterThan(10);
    expect(bench.clock.now() - startedAt).toBeGreaterThan(60_000);
  });

  it('is replaced for a change too, since nothing was changed', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    bench.service.on('POST /landing-links', problem(401), { status: 201, body: { url: 'u' } });
    expect(await client().landingLinks.create({})).toEqual({ url: 'u' });
  });
});

describe('wrong credentials', () => {
  const message =
    'The client ID or the client secret is wrong. Check that both were copied whole, belong together and to this base URL, and were not withdrawn.';

  it.each([400, 401, 403])('answered with status %i cost 50 calls one request', async (status) => {
    bench.service.on('POST /oauth/token', problem(status));
    for (const result of await Promise.allSettled(fifty(client()))) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'authentication_failed', status, message, isRetryable: false },
      });
    }
    expect(tokenRequests()).toHaveLength(1);
    expect(callsSent()).toHaveLength(0);
  });

  it('are tried again 6 s later at the earliest, so that 10 a minute are never exceeded', async () => {
    bench.service.on('POST /oauth/token', problem(401));
    await rejection(get(client()));
    const startedAt = bench.clock.now();
    for (let nth = 0; nth < 9; nth += 1) await rejection(bench.clock.run(get(client())));
    expect(tokenRequests()).toHaveLength(10);
    expect(bench.clock.now() - startedAt).toBe(9 * 6 * second);
  });

  it('are told at once to a caller who cannot wait so long', async () => {
    bench.service.on('POST /oauth/token', problem(401));
    await rejection(get(client()));
    const call = client().screens.get({ screenId: 'scr_1' }, { deadlineMs: 5999 });
    expect(await rejection(call)).toMatchObject({ code: 'authentication_failed', message });
    expect(await rejection(get(client({ retry: false })))).toMatchObject({ message });
    expect(tokenRequests()).toHaveLength(1);
  });

  it('show no secret', async () => {
    bench.service.on(
      'POST /oauth/token',
      problem(401, { detail: 'the-secret is wrong', given: ['the-secret'] }),
    );
    const error = await rejection(get(client()));
    expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain(
      'the-secret',
    );
  });
});

describe('a token endpoint in trouble', () => {
  it('is asked again, 6 s later at the earliest, within the tries of the call', async () => {
    bench.service.on('POST /oauth/token', problem(503), token('t1'));
    accept('t1');
    const startedAt = bench.clock.now();
    expect(await bench.clock.run(get(client()))).toEqual({ id: 'scr_1' });
    expect(bench.clock.now() - startedAt).toBe(6 * second);
  });

  it('is asked again for a change too: only the token was lost', async () => {
    bench.service.on('POST /oauth/token', reset, token('t1'));
    bench.service.on('POST /landing-links', { status: 201, body: { url: 'u' } });
    expect(await bench.clock.run(client().landingLinks.create({}))).toEqual({ url: 'u' });
  });

  it('says that the call was not sent when no token comes', async () => {
    bench.service.on('POST /oauth/token', reset);
    const call = client({ retry: false }).landingLinks.create({});
    const { host } = new URL(bench.service.baseUrl);
    expect(await rejection(call)).toMatchObject({
      name: 'TransportError',
      sent: 'no',
      message: `Create Landing Link was not sent, because no access token could be fetched. The connection to ${host} broke before the answer was complete (ECONNRESET). Try again.`,
    });
  });

  it('is left alone for as long as its 429 asks', async () => {
    bench.service.on('POST /oauth/token', problem(429, { retry_after: 40 }), token('t1'));
    accept('t1');
    const startedAt = bench.clock.now();
    await bench.clock.run(Promise.all(fifty(client())));
    expect(bench.clock.now() - startedAt).toBe(40 * second);
    expect(tokenRequests()).toHaveLength(2);
  });

  it('that asks for more patience than a caller has is told to the caller at once', async () => {
    bench.service.on('POST /oauth/token', problem(429, { retry_after: 3600 }));
    for (let nth = 0; nth < 3; nth += 1) {
      expect(await rejection(get(client()))).toMatchObject({
        code: 'rate_limited',
        retryAfter: 3600,
        message:
          'The request for an access token was refused because the rate limit is used up (status 429). Try again in 3600 s.',
      });
    }
    expect(tokenRequests()).toHaveLength(1);
  });
});

describe('a caller who leaves', () => {
  it('leaves the token request to the others', async () => {
    const held = new Held();
    bench.service.on('POST /oauth/token', held.step);
    accept('t1');
    const leaving = new AbortController();
    const [first, ...others] = [get(client(), leaving.signal), ...fifty(client())];
    const reason = rejection(first);
    await bench.clock.settle();
    leaving.abort('enough');
    expect(await reason).toBe('enough');
    held.answer(token('t1'));
    expect(await Promise.all(others)).toHaveLength(50);
    expect(tokenRequests()).toHaveLength(1);
  });

  it('stops it when nobody else waits for it, and the next call starts another', async () => {
    bench.service.on('POST /oauth/token', silence, token('t1'));
    accept('t1');
    const leaving = new AbortController();
    const reason = rejection(get(client(), leaving.signal));
    await bench.clock.settle();
    leaving.abort('enough');
    expect(await reason).toBe('enough');
    await eventually(() => bench.service.held === 0);
    expect(await get(client())).toEqual({ id: 'scr_1' });
  });

  it('stops waiting after a failure as well', async () => {
    bench.service.on('POST /oauth/token', problem(401));
    await rejection(get(client()));
    const leaving = new AbortController();
    const reason = rejection(get(client(), leaving.signal));
    await bench.clock.settle();
    expect(bench.clock.sleeping).toBe(1);
    leaving.abort('enough');
    expect(await reason).toBe('enough');
    expect(bench.clock.sleeping).toBe(0);
  });
});

describe('a store of tokens', () => {
  it('is shared by processes: the second one needs no request', async () => {
    const store = new MemoryStore();
    bench.service.on('POST /oauth/token', token('t1'));
    accept('t1');
    await get(client({}, store));
    await get(client({ clock: bench.newClock() }, store));
    expect(tokenRequests()).toHaveLength(1);
    expect(callsSent()).toHaveLength(2);
  });

  it('gets keys that name the base URL and the client ID and hold no secret', async () => {
    const store = new MemoryStore();
    bench.service.on('POST /oauth/token', token('t1'));
    accept('t1');
    await get(client({}, store));
    expect([...store.entries]).toEqual([
      [
        `${bench.service.baseUrl} the-client`,
        { accessToken: 't1', expiresAt: bench.clock.now() + hour },
      ],
    ]);
  });

  it('is the one that the client was given, though another client has the same credentials', async () => {
    const store = new MemoryStore();
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    accept('t1', 't2');
    await get(client());
    await get(client({}, store));
    expect([...store.entries.values()].map(({ accessToken }) => accessToken)).toEqual(['t2']);
  });

  it.each([
    ['has ended', { accessToken: 'old', expiresAt: 0 }],
    ['is about to end', { accessToken: 'old', expiresAt: Date.UTC(2027, 2, 1, 9, 0, 59) }],
    ['no header can carry', { accessToken: 'o l\r\nd', expiresAt: Number.MAX_SAFE_INTEGER }],
    ['is none', { accessToken: undefined as never, expiresAt: Number.NaN }],
  ])('is not trusted with a token that %s', async (_what, stored) => {
    const store = new MemoryStore();
    store.entries.set(`${bench.service.baseUrl} the-client`, stored);
    bench.service.on('POST /oauth/token', token('t1'));
    accept('t1');
    await get(client({}, store));
    expect(tokenRequests()).toHaveLength(1);
    expect(callsSent()).toHaveLength(1);
  });

  it('is asked again after a 401: another process may have replaced the token', async () => {
    const store = new MemoryStore();
    const key = `${bench.service.baseUrl} the-client`;
    const expiresAt = bench.clock.now() + hour;
    store.entries.set(key, { accessToken: 't1', expiresAt });
    accept('t1');
    await get(client({}, store));
    store.entries.set(key, { accessToken: 't2', expiresAt });
    accept('t2');
    await get(client({}, store));
    expect(tokenRequests()).toHaveLength(0);
  });

  it('that holds just the refused token does not bring it back', async () => {
    const store = new MemoryStore();
    const key = `${bench.service.baseUrl} the-client`;
    store.entries.set(key, { accessToken: 't1', expiresAt: bench.clock.now() + hour });
    bench.service.on('POST /oauth/token', token('t2'));
    accept('t2');
    await get(client({}, store));
    expect(tokenRequests()).toHaveLength(1);
    expect(store.entries.get(key)?.accessToken).toBe('t2');
  });

  it('that fails makes the call fail with its own error', async () => {
    const broken = new Error('no database');
    const store: TokenStore = { get: () => Promise.reject(broken), set: async () => undefined };
    expect(await rejection(get(client({}, store)))).toBe(broken);
  });
});

describe('TokenSource, for platforms that keep tokens themselves', () => {
  const source = () =>
    new TokenSource(clientCredentials(credentials), bench.service.baseUrl, bench.clock);

  it('gives a token, the same for its hour, and another one once it was refused', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    const tokens = source();
    const request = { transport: bench.transport, timeoutMs: second };
    expect(await Promise.all([tokens.get(request), tokens.get(request)])).toEqual(['t1', 't1']);
    tokens.refuse('another');
    expect(await tokens.get(request)).toBe('t1');
    tokens.refuse('t1');
    expect(await tokens.get(request)).toBe('t2');
  });

  it('asks for nothing for a caller who has left before', async () => {
    const signal = AbortSignal.abort('enough');
    const request = { transport: bench.transport, timeoutMs: second, signal };
    expect(await rejection(source().get(request))).toBe('enough');
    expect(bench.service.received).toEqual([]);
  });

  it('rejects at once with the last failure for a caller who does not wait', async () => {
    bench.service.on('POST /oauth/token', problem(401), token('t1'));
    const tokens = source();
    const request = { transport: bench.transport, timeoutMs: second };
    const first = await rejection(tokens.get(request));
    expect(await rejection(tokens.get({ ...request, latest: bench.clock.now() }))).toBe(first);
    expect(await bench.clock.run(tokens.get(request))).toBe('t1');
  });
});
