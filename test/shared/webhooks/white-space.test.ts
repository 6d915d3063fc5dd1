import { describe, expect, it } from '@jest/globals';
import { verifyRequest, verifyWebhook } from '@screen-advertising/core';
import { eventKey } from '@screen-advertising/core/webhooks';
import { everyScheme, headerOf, nameOf, schemeSecret } from '../../support/signature-schemes.ts';
import { time } from './delivery.ts';

const object = '{"type":"coupon.redeemed","data":{"code":"SPRING-25"}}';
const spaces = {
  nothing: ['', ''],
  'a line feed, as Go writes it': ['', '\n'],
  'a line break of Windows': ['', '\r\n'],
  'a space': [' ', ' '],
  'tabs and lines': ['\n\t', '\t\n\n'],
} as const;

type Headers = Record<string, string | string[] | undefined>;
/** How servers and gateways pass a header. */
const forms: Readonly<Record<string, (value: string) => Headers>> = {
  'Node.js': (value) => ({ host: 'a.example', 'x-service-signature': value }),
  'API Gateway (REST)': (value) => ({ Host: 'a.example', 'X-Service-Signature': value }),
  'HTTP/1 as it arrived': (value) => ({ 'X-SERVICE-SIGNATURE': value }),
  'a load balancer': (value) => ({ 'X-Service-Signature': [value], host: undefined }),
};

/** Every test uses a separate moment, since a process searches 20 times a second. */
let moment = time;
const now = () => {
  moment += 10;
  return moment * 1000;
};

const secrets = ['the previous secret', schemeSecret];
const bySha = everyScheme.filter(({ algorithm }) => algorithm === 'sha256');

describe.each(bySha.map((scheme) => [nameOf(scheme), scheme] as const))('%s', (_name, scheme) => {
  it.each(Object.entries(spaces))('is accepted around %s', async (_what, [before, after]) => {
    const body = before + object + after;
    const signature = headerOf(scheme, moment + 10, body);
    for (const form of Object.values(forms)) {
      for (const raw of [body, Buffer.from(body)]) {
        const event = verifyWebhook({ body: raw, headers: form(signature), secrets, now });
        expect(event).toMatchObject({ scheme, data: { code: 'SPRING-25' } });
      }
    }
    const one = verifyWebhook({ body, signature: [signature], secrets, now });
    expect(one.scheme).toEqual(scheme);
    const headers = { 'x-service-signature': signature };
    const request = new Request('http://127.0.0.1/', { method: 'POST', body, headers });
    expect(await verifyRequest(request, { secrets, now })).toMatchObject({ scheme });
  });

  it.each(Object.entries(spaces))(
    'is refused when what surrounds it changed: %s',
    (_what, [before, after]) => {
      const body = before + object + after;
      const signature = headerOf(scheme, moment + 10, body);
      for (const changed of [`${body} `, `\n${body}`, body.replace('25', '26')]) {
        const verify = () => verifyWebhook({ body: changed, signature, secrets, now });
        // The line feed that this scheme signs may as well begin the body, which means the same.
        if (scheme.signedContent === '{t}\n{body}' && changed === `\n${body}`) continue;
        expect(verify).toThrow('The signature matches none of the signing secrets');
      }
    },
  );
});

it('white space around a body without an ID makes no other event of it', () => {
  const event = verifyWebhook({
    body: object,
    signature: headerOf(bySha[0] as (typeof bySha)[0], time, object),
    secrets,
    now: () => time * 1000,
  });
  const key = eventKey(event, object);
  for (const [before, after] of Object.values(spaces)) {
    expect(eventKey(event, before + object + after)).toBe(key);
    expect(eventKey(event, Buffer.from(before + object + after))).toBe(key);
  }
  expect(eventKey(event, object.replace('25', '26'))).not.toBe(key);
});

describe('headers', () => {
  const signature = headerOf(bySha[0] as (typeof bySha)[0], time, object);
  const verify = (headers: unknown) =>
    verifyWebhook({ body: object, headers: headers as Headers, secrets, now: () => time * 1000 });

  it.each([
    [{}, 'missing_signature'],
    [{ 'x-service-signature': undefined, 'X-Service-Signature': null }, 'missing_signature'],
    [{ 'x-service-signature': [] }, 'missing_signature'],
    [{ 'x-service-signature': [signature, signature] }, 'malformed_signature'],
    [{ 'x-service-signature': signature, 'X-Service-Signature': signature }, 'malformed_signature'],
    [{ 'x-other-signature': signature }, 'missing_signature'],
    [{ 'x-service-signature': 5 }, 'invalid_argument'],
    ['x-service-signature', 'invalid_argument'],
  ])('%j: %s', (headers, reason) => {
    expect(() => verify(headers)).toThrow(expect.objectContaining({ reason }));
  });

  it('of a request without a body and signature say that it is none of the service', () => {
    const receive = () => verifyWebhook({ body: undefined as never, headers: {}, secrets });
    expect(receive).toThrow(expect.objectContaining({ reason: 'missing_signature' }));
  });
});
