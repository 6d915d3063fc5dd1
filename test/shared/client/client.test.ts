import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, operations } from '@screen-advertising/core';
import { key, rejection, useBench } from '../support/bench.ts';
import { page } from '../support/steps.ts';

const bench = useBench();
const list = operations['screen.list'];

describe('call', () => {
  it('sends the method, the path below the base URL and the bearer token, and no X-API-Key', async () => {
    bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
    await bench.client().screens.get({ screenId: 'scr_1' });
    const [received] = bench.service.received;
    expect(received?.method).toBe('GET');
    expect(received?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      accept: 'application/json, application/problem+json',
    });
    expect(received?.headers).not.toHaveProperty('x-api-key');
    expect(received?.body).toBe('');
  });

  it('sends filters as a query, each of them encoded', async () => {
    bench.service.on('GET /screens', page([], null, false));
    await bench.client().screens.list({ city: 'Bad Säckingen & Co', bbox: '1,2,3,4', limit: 7 });
    expect(bench.service.received[0]?.path).toBe(
      '/screens?city=Bad%20S%C3%A4ckingen%20%26%20Co&bbox=1%2C2%2C3%2C4&limit=7',
    );
  });
});

describe('createClient', () => {
  it.each([[{ timeoutMs: 0 }, 'timeoutMs', 'timeoutMs must be a number from 1 to 2147483647.']])(
    'refuses %j',
    (options, field, message) => {
      const make = () => bench.client(options);
      expect(make).toThrow(ConfigurationError);
      expect(make).toThrow(message);
      expect(make).toThrow(expect.objectContaining({ field }));
    },
  );

  it('refuses a deadline', async () => {
    const error = await rejection(bench.client().call(list, {}, { deadlineMs: Number.NaN }));
    expect(error).toMatchObject({ message: 'deadlineMs must be a number from 1 to 2147483647.' });
  });
});
