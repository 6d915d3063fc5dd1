import { fc } from '@fast-check/jest';
import { describe, expect, it } from '@jest/globals';
import { signWebhook, verifyRequest, verifySignature } from '@screen-advertising/core';
import {
  contentOf,
  type Delivered,
  everyScheme,
  headerOf,
  nameOf,
  schemeSecret,
  schemes,
  signsTime,
  spoilt,
} from '../../support/signature-schemes.ts';
import { cases, seed } from '../../support/tier.ts';
import { refusalOf, time as start } from './delivery.ts';

const body = '{"id":"evt_1","type":"coupon.redeemed","data":{"code":"SPRING-25"}}';
const secrets = ['the previous secret', schemeSecret];

let time = start;
/** A verifier searches 20 times a second, so each delivery arrives in another second. */
const nextSecond = () => {
  time += 2;
  return time;
};

const verify = (delivery: Delivered) =>
  verifySignature({ ...delivery, secrets, now: () => nextSecond() * 1000 });

describe.each(schemes.map((scheme) => [nameOf(scheme), scheme] as const))('%s', (_name, scheme) => {
  it('is accepted without a setting, and named', async () => {
    const t = nextSecond();
    const signature = headerOf(scheme, t, body);
    expect(signWebhook({ body, secret: schemeSecret, timestamp: t, scheme })).toBe(signature);
    expect(verify({ body, signature })).toEqual(scheme);
    const upper = signature.replace(/[0-9a-f]+$/, (hex) => hex.toUpperCase());
    expect(verify({ body, signature: upper })).toEqual(scheme);
    const request = new Request('http://127.0.0.1/', {
      method: 'POST',
      body,
      headers: { 'x-service-signature': signature },
    });
    const event = await verifyRequest(request, { secrets, now: () => nextSecond() * 1000 });
    expect(event).toMatchObject({ id: 'evt_1', scheme });
    expect(verifySignature({ body, signature, secrets, scheme, now: () => t * 1000 })).toEqual(
      scheme,
    );
  });

  it('is refused with one bit of the body, the time, the digest or the secret changed', () => {
    const changed = Object.entries(spoilt(scheme, nextSecond(), body));
    expect(changed).toHaveLength(4);
    for (const [what, delivery] of changed) {
      const refusal = refusalOf(() => verify(delivery));
      const isRefused = what !== 'time' || signsTime(scheme);
      expect([what, refusal?.message]).toEqual([
        what,
        isRefused ? expect.stringContaining(', in any known scheme.') : undefined,
      ]);
    }
  });
});

describe('a captured delivery', () => {
  const piece = fc.constantFrom('{', '}', '.', ':', '\n', ' ', '"', 'v1', '1', '17', '{}', '}.1');
  const space = fc.constantFrom('', '\n', ' ', '\r\n\t');
  const sent = fc.record({
    scheme: fc.constantFrom(...everyScheme),
    t: fc.constantFrom('1', '17', '1800000000', '018000000001'),
    body: fc
      .tuple(space, fc.array(piece, { maxLength: 8 }), space)
      .map(([before, inner, after]) => `${before}{${inner.join('')}}${after}`),
  });

  /** Every time and body from which another scheme would make the same signed content. */
  function* readings(signed: string, other: (typeof everyScheme)[number]) {
    for (let from = 0; from < signed.length; from += 1) {
      for (let to = from + 1; to <= signed.length; to += 1) {
        const outside = `${signed.slice(0, from)} ${signed.slice(to)}`;
        for (const [t = ''] of [...outside.matchAll(/\d+/g), ['1800000000']]) {
          const reading = Buffer.from(signed.slice(from, to));
          if (contentOf(other, t, reading).toString() === signed)
            yield { t, body: String(reading) };
        }
      }
    }
  }

  // With the algorithm and key of the service; those of others give other digests anyway.
  it(`passes for no other time or event, in any pair of schemes, over ${cases(4000)}`, () => {
    let read = 0;
    fc.assert(
      fc.property(sent, ({ scheme, t, body: whole }) => {
        const signed = contentOf(scheme, t, Buffer.from(whole)).toString();
        const [, v1 = ''] = headerOf(scheme, t, whole).split(',');
        for (const other of everyScheme) {
          if (other.algorithm !== scheme.algorithm || other.key !== scheme.key) continue;
          for (const reading of readings(signed, other)) {
            const forged = { body: reading.body, signature: `t=${reading.t},${v1}` };
            const now = () => Number(reading.t) * 1000 + (read % 500) * 1000;
            read += 1;
            if (refusalOf(() => verifySignature({ ...forged, secrets, now }))) continue;
            expect([reading.body.trim(), signsTime(scheme) ? reading.t : t]).toEqual([
              whole.trim(),
              t,
            ]);
          }
        }
      }),
      { numRuns: cases(4000), seed },
    );
    expect(read).toBeGreaterThan(cases(4000));
  });
});
