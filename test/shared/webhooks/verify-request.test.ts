import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { verifyRequest, verifyWebhook, WebhookVerificationError } from '@screen-advertising/core';
import { eventKey } from '@screen-advertising/core/webhooks';
import { rejection } from '../support/rejection.ts';
import { honest, loosely, refusalOf, secret, time } from './delivery.ts';

const needsRequest = 'verifyRequest needs the Request of Fetch (in Hono, c.req.raw).';

/** The request that a handler of Hono gets. */
const requestOfHono = {
  raw: new Request('http://127.0.0.1/hook'),
  bodyCache: {},
  header: () => undefined,
  arrayBuffer: async () => new ArrayBuffer(0),
};

const options = { secrets: [secret], now: () => time * 1000 };

const requestOf = (body: Uint8Array | string, signature?: string) =>
  new Request('http://127.0.0.1/hook', {
    method: 'POST',
    body: body as BodyInit,
    ...(signature && { headers: { 'X-Service-Signature': signature } }),
  });

const received = ({ body, signature }: ReturnType<typeof honest>) => requestOf(body, signature);

const failure = async (work: Promise<unknown>) => {
  const error = await rejection(work);
  expect(error).toBeInstanceOf(WebhookVerificationError);
  return error as WebhookVerificationError;
};

describe('verifyRequest', () => {
  it.each([
    ['with an ID', '{"event_id":"evt_1","type":"campaign.paid","data":{"city":"Köln 😀"}}'],
    ['without an ID', '{"type":"campaign.paid"}'],
    ['between line breaks', '\r\n{"type":"campaign.paid"}\n'],
    ['in bytes', new TextEncoder().encode('{"type":"user.registered","data":{"a":1}}')],
  ])('returns an event %s, with the key that eventKey returns', async (_what, body) => {
    const { key, ...event } = await verifyRequest(received(honest(body)), options);
    expect(event.type).toMatch(/^(campaign\.paid|user\.registered)$/);
    expect(key).toBe(eventKey(event, body));
  });

  it.each([
    ['another body', requestOf('{"type":"campaign.free"}', honest().signature)],
    ['no header', requestOf('{}')],
    ['a malformed header', requestOf('{}', 't=1')],
    ['an old timestamp', requestOf('{}', honest().signature.replace(/\d+/, '1000000000'))],
    ['no JSON', received(honest('plain'))],
  ])('refuses what verifyWebhook refuses, with the same error: %s', async (_what, request) => {
    const copy = request.clone();
    const error = await failure(verifyRequest(request, options));
    const body = new Uint8Array(await copy.arrayBuffer());
    const signature = copy.headers.get('x-service-signature') ?? undefined;
    const same = refusalOf(() => verifyWebhook({ body, signature, ...options }));
    expect([error.reason, error.message]).toEqual([same?.reason, same?.message]);
  });

  it('does not read a body with an invalid header', async () => {
    const request = requestOf('{}', 't=1');
    await failure(verifyRequest(request, options));
    expect(request.bodyUsed).toBe(false);
  });

  it.each([
    ['states', { 'content-length': '1048577' }, 0],
    ['streams', {}, 17],
  ])('refuses a body over 1 MiB that it %s, and reads no more', async (_how, length, chunks) => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(stream) {
          pulled += 1;
          stream.enqueue(new Uint8Array(65_536));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { ...length, 'x-service-signature': honest().signature };
    const request = new Request('http://127.0.0.1/hook', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit);
    expect(await failure(verifyRequest(request, options))).toMatchObject({
      reason: 'malformed_body',
      message: 'The body is larger than 1 MiB, larger than any event. It was not read to its end.',
    });
    expect(pulled).toBe(chunks);
  });

  it('refuses a request whose body something else is reading', async () => {
    const request = received(honest());
    request.body?.getReader();
    expect(await failure(verifyRequest(request, options))).toMatchObject({
      reason: 'invalid_argument',
      message:
        'The body of the request is being read elsewhere. Verify the request first, or pass request.clone().',
    });
  });

  it('verifies a request without a stream', async () => {
    const { headers } = received(honest());
    const arrayBuffer = () => received(honest()).arrayBuffer();
    const { type } = await verifyRequest({ headers, bodyUsed: false, arrayBuffer }, options);
    expect(type).toBe('campaign.paid');
  });

  it('refuses a request whose body was read before', async () => {
    const request = received(honest());
    await request.json();
    expect(await failure(verifyRequest(request, options))).toMatchObject({
      reason: 'invalid_argument',
      message:
        'The body of the request was already read. Verify the request first, or pass request.clone().',
    });
  });

  it.each([
    [[{ body: '{}', headers: {} }, options], needsRequest],
    [[requestOf('{}')], 'verifyRequest needs an object of options.'],
    [
      [requestOf('{}'), { ...options, tolerance: 300 }],
      'verifyRequest has no option tolerance, only secrets, toleranceSeconds, now, scheme.',
    ],
    [[requestOfHono, options], needsRequest],
    [[new IncomingMessage(new Socket()), options], needsRequest],
    [[requestOf('{}'), {}], 'secrets must be a list with at least one signing secret.'],
  ])('explains a wrong argument', async (given, message) => {
    const call = loosely(verifyRequest) as (...given: unknown[]) => Promise<unknown>;
    expect(await failure(call(...given))).toMatchObject({ reason: 'invalid_argument', message });
  });
});
