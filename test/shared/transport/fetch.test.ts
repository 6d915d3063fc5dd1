import { describe, expect, it } from '@jest/globals';
import { apiKey, createClient, TransportError } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { rejection } from '../support/bench.ts';

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
