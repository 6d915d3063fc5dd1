import { describe, expect, it } from '@jest/globals';
import { clientCredentials } from '@screen-advertising/core';
import { TokenSource } from '@screen-advertising/core/platform';
import { rejection } from '../support/bench.ts';
import { problem, token } from '../support/steps.ts';
import { second, useTokenBench } from '../support/token-bench.ts';

const bench = useTokenBench();

describe('TokenSource, for platforms that keep tokens themselves', () => {
  const source = () =>
    new TokenSource(clientCredentials(bench.credentials), bench.service.baseUrl, bench.clock);

  it('returns a token, the same for its hour, and another one after a refusal', async () => {
    bench.service.on('POST /oauth/token', token('t1'), token('t2'));
    const tokens = source();
    const request = { transport: bench.transport, timeoutMs: second };
    expect(await Promise.all([tokens.get(request), tokens.get(request)])).toEqual(['t1', 't1']);
    tokens.refuse('another');
    expect(await tokens.get(request)).toBe('t1');
    tokens.refuse('t1');
    expect(await tokens.get(request)).toBe('t2');
  });

  it('sends nothing for a caller who has already left', async () => {
    const signal = AbortSignal.abort('enough');
    const request = { transport: bench.transport, timeoutMs: second, signal };
    expect(await rejection(source().get(request))).toBe('enough');
    expect(bench.service.received).toEqual([]);
  });

  it('waits for the rate limit of the token endpoint no longer than its caller', async () => {
    const tokens = source();
    const request = { transport: bench.transport, timeoutMs: second };
    for (let nth = 0; nth < 10; nth += 1) {
      bench.service.on('POST /oauth/token', token(`t${nth}`));
      tokens.refuse(await tokens.get(request));
    }
    const caller = new AbortController();
    const gone = rejection(tokens.get({ ...request, signal: caller.signal }));
    await bench.clock.settle();
    expect(bench.clock.sleeping).toBe(1);
    caller.abort('enough');
    expect(await gone).toBe('enough');
    await bench.clock.settle();
    expect(bench.clock.sleeping).toBe(0);
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
