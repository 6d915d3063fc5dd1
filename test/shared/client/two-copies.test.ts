import { beforeAll, expect, it, jest } from '@jest/globals';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import { problem, token } from '../support/steps.ts';

type Core = typeof import('@screen-advertising/core');

const bench = useBench();
const screen = { screenId: 'scr_1' };

/**
 * As a bundle has them that imports the package in one place, and requires it in another. A module
 * that loads during a test would make every constant of it count as tested by that test alone.
 */
const copies: Core[] = [];
beforeAll(async () => {
  for (let nth = 0; nth < 2; nth += 1) {
    await jest.isolateModulesAsync(async () => {
      copies.push(await import('@screen-advertising/core'));
    });
  }
});

/** On the real clock, with the transport of the copy. */
const clientOf = ({ createClient, clientCredentials }: Core, clientId: string, options = {}) =>
  createClient({
    baseUrl: bench.service.baseUrl,
    auth: clientCredentials({ clientId, clientSecret: 'secret' }),
    ...options,
  });

it('two copies of the package in one process share the token of an access', async () => {
  bench.service.on('POST /oauth/token', token('t1'));
  bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
  for (const copy of copies) {
    expect(await clientOf(copy, 'token').screens.get(screen)).toEqual({ id: 'scr_1' });
  }
  const { received } = bench.service;
  expect(received.filter(({ path }) => path.endsWith('/oauth/token'))).toHaveLength(1);
});

it('they share its rate limit, and know the error of the other', async () => {
  bench.service.on('POST /oauth/token', token('t1'));
  bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
  const [one, other] = copies as [Core, Core];
  expect(one.TransportError).not.toBe(other.TransportError);
  const options = { rateLimit: { requests: 1, perMs: 3_600_000 } };
  const soon = { deadlineMs: 60_000 };
  await clientOf(one, 'limit', options).screens.get(screen);
  const error = await rejection(clientOf(other, 'limit', options).screens.get(screen, soon));
  expect(error).toMatchObject({ name: 'RateLimitWaitError', attempts: 0 });
  expect(other.RateLimitWaitError.isInstance(error)).toBe(true);
});

it('they share the pause after a refused token', async () => {
  bench.service.on('POST /oauth/token', problem(401));
  for (const copy of copies) {
    const client = clientOf(copy, 'refused', { retry: false });
    expect(await rejection(client.screens.get(screen))).toMatchObject({ status: 401 });
  }
  expect(bench.service.received).toHaveLength(1);
});
