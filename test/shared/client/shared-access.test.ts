import { expect, it } from '@jest/globals';
import { clientCredentials } from '@screen-advertising/core';
import { sharedAccess } from '../../../shared/src/client/shared-access.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

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
