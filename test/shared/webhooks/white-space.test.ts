import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { eventKey } from '@screen-advertising/core/webhooks';
import { headerOf, nameOf, schemeSecret, schemes } from '../../support/signature-schemes.ts';
import { time } from './delivery.ts';

const object = '{"type":"coupon.redeemed","data":{"code":"SPRING-25"}}';
const spaces = {
  nothing: ['', ''],
  'a line feed, as Go writes it': ['', '\n'],
  'a line break of Windows': ['', '\r\n'],
  'a space': [' ', ' '],
  'tabs and lines': ['\n\t', '\t\n\n'],
} as const;

/** Every test uses a separate moment, since a process searches 20 times a second. */
let moment = time;
const now = () => {
  moment += 10;
  return moment * 1000;
};

const secrets = ['the previous secret', schemeSecret];
const bySha = schemes.filter(({ algorithm }) => algorithm === 'sha256');

describe.each(bySha.map((scheme) => [nameOf(scheme), scheme] as const))('%s', (_name, scheme) => {
  it.each(Object.entries(spaces))('signs %s around a body', (_what, [before, after]) => {
    const body = before + object + after;
    const signature = headerOf(scheme, moment + 10, body);
    for (const raw of [body, Buffer.from(body)]) {
      const event = verifyWebhook({ body: raw, signature, secrets, now });
      expect(event).toMatchObject({ scheme, data: { code: 'SPRING-25' } });
    }
    for (const changed of [`${body} `, `\n${body}`, body.replace('25', '26')]) {
      const verify = () => verifyWebhook({ body: changed, signature, secrets, now });
      // The line feed that this scheme signs may as well begin the body, which means the same.
      if (scheme.signedContent === '{t}\n{body}' && changed === `\n${body}`) continue;
      expect(verify).toThrow('The signature matches none of the signing secrets');
    }
  });
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
    verifyWebhook({ body: object, headers: headers as never, secrets, now: () => time * 1000 });

  it.each([
    ['Node.js', { host: 'a.example', 'x-service-signature': signature }],
    ['API Gateway (REST)', { Host: 'a.example', 'X-Service-Signature': signature }],
    ['HTTP/1 as it arrived', { 'X-SERVICE-SIGNATURE': signature }],
    ['a load balancer', { 'X-Service-Signature': [signature], host: undefined }],
  ])('are read as those of %s', (_whose, headers) => {
    expect(verify(headers)).toMatchObject({ data: { code: 'SPRING-25' } });
  });

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
