import { describe, expect, it, jest } from '@jest/globals';
import { apiKey, createClient, TransportError } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { rejection } from '../support/rejection.ts';

const request = {
  method: 'GET',
  url: 'https://service.example/api/v1/screens',
  headers: {},
  timeoutMs: 1000,
} as const;

/** What a program in a browser or worker gets from its own fetch. */
const failingWith = (error: unknown) => fetchTransport({ fetch: () => Promise.reject(error) });

describe('fetchTransport with a fetch of the caller', () => {
  it('passes the request', async () => {
    const seen: unknown[] = [];
    const transport = fetchTransport({
      fetch: async (url, { method, redirect, body }) => {
        seen.push({ url, method, redirect, body });
        return Response.json({ id: 'scr_1' });
      },
    });
    const baseUrl = 'https://service.example/api/v1';
    const client = createClient({ baseUrl, auth: apiKey('svc_key'), transport });
    expect(await client.screens.get({ screenId: 'scr_1' })).toEqual({ id: 'scr_1' });
    expect(seen).toEqual([
      { url: `${baseUrl}/screens/scr_1`, method: 'GET', redirect: 'manual', body: null },
    ]);
  });

  const bytes = new TextEncoder().encode('{"id":"Ä"}');
  const read = async () => bytes.buffer;
  it.each([
    ['without streams', { body: undefined, arrayBuffer: read }],
    ['with streams of Node.js', { body: { pipe: () => undefined }, arrayBuffer: read }],
  ])('reads the body of a fetch %s', async (_what, body) => {
    const response = { status: 201, headers: new Headers({ 'x-a': '1' }), ...body };
    const fetch = async () => response as unknown as Response;
    expect(await fetchTransport({ fetch }).send(request)).toEqual({
      status: 201,
      headers: { 'x-a': '1' },
      body: '{"id":"Ä"}',
    });
  });

  it('refuses a body that is too large, of a fetch without streams', async () => {
    const arrayBuffer = async () => new ArrayBuffer(8 * 1024 * 1024 + 1);
    const response = { status: 200, headers: new Headers(), arrayBuffer };
    const fetch = async () => response as unknown as Response;
    expect(await rejection(fetchTransport({ fetch }).send(request))).toMatchObject({
      code: 'network_error',
      isRetryable: false,
    });
  });

  it('reads the text of a fetch where nothing else decodes, as in jsdom', async () => {
    const text = jest.fn(async () => '{"id":"Ä"}');
    const response = { status: 200, headers: new Headers(), text } as unknown as Response;
    const { send } = fetchTransport({ fetch: async () => response });
    const { TextDecoder: decoder } = globalThis;
    Reflect.deleteProperty(globalThis, 'TextDecoder');
    try {
      expect(await send(request)).toMatchObject({ status: 200, body: '{"id":"Ä"}' });
      text.mockResolvedValueOnce(' '.repeat(8 * 1024 * 1024 + 1));
      expect(await rejection(send(request))).toMatchObject({ code: 'network_error' });
    } finally {
      globalThis.TextDecoder = decoder;
    }
  });

  it('names the option to set where there is no fetch', async () => {
    const transport = fetchTransport();
    const { fetch } = globalThis;
    Reflect.deleteProperty(globalThis, 'fetch');
    const error = await rejection(transport.send(request));
    Object.assign(globalThis, { fetch });
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      field: 'transport',
      message:
        'This runtime has no fetch. Pass transport: fetchTransport({ fetch }), from @screen-advertising/core/fetch.',
    });
  });

  it.each([new TypeError('Failed to fetch'), new Error('Network connection lost.')])(
    'reports "%s" like other transports, so that reads are retried',
    async (thrown) => {
      const error = await rejection(failingWith(thrown).send(request));
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({
        code: 'network_error',
        sent: 'maybe',
        isRetryable: true,
        message: `The connection to service.example broke before the response was complete (${thrown.message}). Retry.`,
      });
    },
  );

  it('says that nothing was sent to a port that fetch blocks', async () => {
    const url = 'http://127.0.0.1:6697/';
    expect(await rejection(fetchTransport().send({ ...request, url }))).toMatchObject({
      code: 'network_error',
      sent: 'no',
      isRetryable: false,
      message:
        '127.0.0.1:6697 has a port that fetch blocks (bad port). Check the protocol, host, and port in the base URL.',
    });
  });

  it('passes errors that are not of the network', async () => {
    const error = new RangeError('A mistake in this fetch.');
    expect(await rejection(failingWith(error).send(request))).toBe(error);
  });

  it('explains a redirect, which browsers hide', async () => {
    const hidden = { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null };
    const transport = fetchTransport({ fetch: async () => hidden as unknown as Response });
    expect(await rejection(transport.send(request))).toMatchObject({
      code: 'network_error',
      isRetryable: false,
      message: 'service.example redirected the request, which is not followed. Check the base URL.',
    });
  });
});
