import { describe, expect, it } from '@jest/globals';
import { clientCredentials, type StoredToken, type TokenStore } from '@screen-advertising/core';
import { TokenSource } from '@screen-advertising/core/platform';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { problem, token } from '../support/steps.ts';
import { get, hour, useTokenBench } from '../support/token-bench.ts';

const bench = useTokenBench();

/** A store that works like a database. */
class MemoryStore implements TokenStore {
  readonly entries = new Map<string, StoredToken>();

  async get(key: string): Promise<StoredToken | undefined> {
    return this.entries.get(key);
  }

  async set(key: string, stored: StoredToken): Promise<void> {
    this.entries.set(key, stored);
  }
}

describe('a store of tokens', () => {
  const key = () => `${bench.service.baseUrl} the-client`;
  /** A store with a token that another process got. */
  function holding(accessToken: string, lifetimeMs = hour): MemoryStore {
    const store = new MemoryStore();
    store.entries.set(key(), { accessToken, expiresAt: bench.clock.now() + lifetimeMs });
    return store;
  }

  it('is shared by processes: the second one needs no request', async () => {
    const store = new MemoryStore();
    bench.issue('t1');
    await get(bench.clientWithToken({}, store));
    const auth = clientCredentials({ ...bench.credentials, store });
    const other = new TokenSource(auth, bench.service.baseUrl, new SimulatedClock());
    expect(await other.get({ transport: bench.transport, timeoutMs: 1000 })).toBe('t1');
    expect(bench.tokenRequests).toHaveLength(1);
  });

  it('gets keys that name the base URL and the client ID and hold no secret', async () => {
    const store = new MemoryStore();
    bench.issue('t1');
    await get(bench.clientWithToken({}, store));
    expect([...store.entries]).toEqual([
      [key(), { accessToken: 't1', expiresAt: bench.clock.now() + hour, scope: '*' }],
    ]);
  });

  it('that still holds the token in use does not keep it from being renewed early', async () => {
    bench.issue('t1', 't2');
    const client = bench.clientWithToken({}, new MemoryStore());
    await get(client);
    await bench.clock.advance(hour - 60_000);
    await get(client);
    expect(bench.tokenRequests).toHaveLength(2);
  });

  it('may hold a token of unknown lifetime: it counts as an hour, without its last five seconds', async () => {
    const store = holding('stored', 70_000);
    bench.service.on('POST /oauth/token', token('t1'));
    bench.accept('stored', 't1');
    const client = bench.clientWithToken({}, store);
    await get(client);
    await bench.clock.advance(65_000);
    await get(client);
    expect(bench.callsSent.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer stored',
      'Bearer t1',
    ]);
  });

  it.each([
    ['has ended', { accessToken: 'old', expiresAt: 0 }],
    ['is about to end', { accessToken: 'old', expiresAt: Date.UTC(2027, 2, 1, 9, 0, 59) }],
    ['no header can carry', { accessToken: 'o l\r\nd', expiresAt: Number.MAX_SAFE_INTEGER }],
    ['is none', { accessToken: undefined as never, expiresAt: Number.NaN }],
  ])('is not trusted with a token that %s', async (_what, stored) => {
    const store = new MemoryStore();
    store.entries.set(key(), stored);
    bench.issue('t1');
    await get(bench.clientWithToken({}, store));
    expect(bench.tokenRequests).toHaveLength(1);
    expect(bench.callsSent).toHaveLength(1);
  });

  it('is asked again after a 401: another process may have replaced the token', async () => {
    const store = holding('t1');
    bench.accept('t1');
    await get(bench.clientWithToken({}, store));
    store.entries.set(key(), { accessToken: 't2', expiresAt: bench.clock.now() + hour });
    bench.accept('t2');
    await get(bench.clientWithToken({}, store));
    expect(bench.tokenRequests).toHaveLength(0);
  });

  it('that holds only the refused token does not bring it back', async () => {
    const store = holding('t1');
    bench.issue('t2');
    await get(bench.clientWithToken({}, store));
    expect(bench.tokenRequests).toHaveLength(1);
    expect(store.entries.get(key())?.accessToken).toBe('t2');
  });

  it.each([
    ['rejects', (error: Error) => Promise.reject(error)],
    [
      'throws',
      (error: Error) => {
        throw error;
      },
    ],
  ])('that %s costs a warning and a token request, not the call', async (_how, failWith) => {
    const broken = new Error('no database');
    const warnings: unknown[] = [];
    const fail = () => failWith(broken);
    const store: TokenStore = { get: fail, set: fail };
    bench.issue('t1');
    const onStoreError = (error: unknown) => warnings.push(error);
    const auth = clientCredentials({ ...bench.credentials, store, onStoreError });
    expect(await get(bench.client({ auth }))).toEqual({ id: 'scr_1' });
    expect(new Set(warnings)).toEqual(new Set([broken]));
  });

  const hang = () => new Promise<never>(() => undefined);

  it('that never responds to a read costs a second and a token request, not the call', async () => {
    const warnings: unknown[] = [];
    const store: TokenStore = { get: hang, set: async () => undefined };
    const onStoreError = (error: unknown) => warnings.push(error);
    const auth = clientCredentials({ ...bench.credentials, store, onStoreError });
    bench.issue('t1');
    const startedAt = bench.clock.now();
    expect(await bench.clock.run(get(bench.client({ auth })))).toEqual({ id: 'scr_1' });
    expect(bench.clock.now() - startedAt).toBe(1000);
    expect(warnings).toEqual([new Error('The store took longer than 1000 ms.')]);
  });

  it('writes beside the call, which waits for it at its end', async () => {
    const written: string[] = [];
    const store: TokenStore = {
      get: async () => undefined,
      set: async (_key, { accessToken }) => {
        await bench.clock.sleep(700);
        written.push(accessToken);
      },
    };
    bench.issue('t1');
    const call = get(bench.clientWithToken({}, store)).then(() => written.push('response'));
    await bench.clock.settle();
    expect(bench.callsSent).toHaveLength(1);
    await bench.clock.run(call);
    expect(written).toEqual(['t1', 'response']);
  });

  it('that never responds to a write costs a second, and no more than the deadline', async () => {
    const store: TokenStore = { get: async () => undefined, set: hang };
    bench.issue('t1', 't2');
    const startedAt = bench.clock.now();
    const client = bench.clientWithToken({}, store);
    expect(await bench.clock.run(get(client))).toEqual({ id: 'scr_1' });
    expect(bench.clock.now() - startedAt).toBe(1000);
    await bench.clock.advance(hour);
    const renewedAt = bench.clock.now();
    const options = { deadlineMs: 300 };
    expect(await bench.clock.run(client.screens.get({ screenId: 'scr_1' }, options))).toEqual({
      id: 'scr_1',
    });
    expect(bench.clock.now() - renewedAt).toBe(300);
    await bench.clock.advance(1000);
  });

  it('is read again after a 429, before and while the client waits', async () => {
    const store = new MemoryStore();
    bench.service.on('POST /oauth/token', problem(429, { retry_after: 60 }));
    bench.accept('t2');
    const startedAt = bench.clock.now();
    const call = get(bench.clientWithToken({}, store));
    await bench.clock.advance(1000);
    store.entries.set(key(), { accessToken: 't2', expiresAt: bench.clock.now() + hour });
    expect(await bench.clock.run(call)).toEqual({ id: 'scr_1' });
    expect(bench.clock.now() - startedAt).toBeLessThan(2000);
    expect(bench.tokenRequests).toHaveLength(1);
  });
});
