import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import {
  apiKey,
  clientCredentials,
  createClient,
  operations,
  ScreenAdvertisingError,
  type Transport,
} from '@screen-advertising/core';
import { parseBaseUrl, readBody } from '@screen-advertising/core/platform';
import { costsOf } from '../support/costs.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

const baseUrl = 'https://service.example/api/v1';
const screen = { screenId: 'scr_1' };
const nothing = { urls: [], errors: [] };

/** Responds within the process, so that nothing below the client is counted. */
function answering(): Transport {
  return {
    clock: new SimulatedClock(),
    send: async ({ url }) => {
      const body = url.endsWith('/oauth/token')
        ? { access_token: 'token', expires_in: 3600 }
        : { data: [{ id: 'scr_1' }], pagination: { has_more: false } };
      return { status: 200, headers: {}, body: JSON.stringify(body) };
    },
  };
}

it('counts every URL and every error', async () => {
  const costs = await costsOf(() => {
    URL.canParse('a:');
    new AbortController().abort(new URL('b:'));
    new AbortController().abort();
    return [new Error('c'), new ScreenAdvertisingError('timeout', 'd')];
  });
  expect(costs).toEqual({ urls: ['a:', 'b:'], errors: ['abort', 'c', 'd'] });
});

describe('a call that succeeds', () => {
  it('parses its base URL once, however often it is checked', async () => {
    const transport = answering();
    const { urls } = await costsOf(async () => {
      const checked = parseBaseUrl(parseBaseUrl(baseUrl));
      await createClient({ baseUrl: checked, auth: apiKey('svc_key'), transport }).screens.get(
        screen,
      );
    });
    expect(urls).toEqual([baseUrl]);
  });

  it('parses no other URL and builds no error', async () => {
    const auth = clientCredentials({ clientId: 'id', clientSecret: 'secret' });
    const client = createClient({ baseUrl, auth, transport: answering() });
    const { signal } = new AbortController();
    const call = () => client.screens.get(screen, { signal, deadlineMs: 1000 });
    expect(await costsOf(call)).toEqual(nothing);
    expect(await costsOf(call)).toEqual(nothing);
  });

  it('does the same for a list', async () => {
    const client = createClient({ baseUrl, auth: apiKey('svc_key'), transport: answering() });
    const records: unknown[] = [];
    const list = async () => {
      for await (const record of client.items(operations['screen.list'])) records.push(record);
    };
    expect(await costsOf(list)).toEqual(nothing);
    expect(records).toHaveLength(1);
  });

  it('does the same for a body read from a stream', async () => {
    const body = Readable.from([Buffer.from('{}')]);
    const closed = once(body, 'close');
    const read = () => Promise.all([readBody(body, baseUrl), closed]);
    expect(await costsOf(read)).toEqual(nothing);
  });
});
