import crypto, { createHmac } from 'node:crypto';
import { fc } from '@fast-check/jest';
import { describe, expect, it, jest } from '@jest/globals';
import { signWebhook, verifyRequest, verifySignature } from '@screen-advertising/core';
import type { DeliveryScheme } from '@screen-advertising/core/webhooks';
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
import { body, refusalOf, time } from './delivery.ts';

const event = '{"id":"evt_1","type":"coupon.redeemed","data":{"code":"SPRING-25"}}';
const secrets = ['the previous secret', schemeSecret];
const sha512: DeliveryScheme = { algorithm: 'sha512', signedContent: '{body}', key: 'hex' };
const first: DeliveryScheme = { algorithm: 'sha256', signedContent: '{t}.{body}', key: 'text' };

/** Every test uses a separate moment, since a process searches 20 times a second. */
let moment = time;
const nextMoment = () => {
  moment += 10;
  return moment;
};

const received = (delivery: Delivered) =>
  verifySignature({ ...delivery, secrets, now: () => nextMoment() * 1000 });

describe.each(schemes.map((scheme) => [nameOf(scheme), scheme] as const))('%s', (_name, scheme) => {
  it('is accepted without a setting, and named', async () => {
    const t = nextMoment();
    const signature = headerOf(scheme, t, event);
    expect(signWebhook({ body: event, secret: schemeSecret, timestamp: t, scheme })).toBe(
      signature,
    );
    expect(received({ body: event, signature })).toEqual(scheme);
    const upper = signature.replace(/[0-9a-f]+$/, (hex) => hex.toUpperCase());
    expect(received({ body: event, signature: upper })).toEqual(scheme);
    const request = new Request('http://127.0.0.1/', {
      method: 'POST',
      body: event,
      headers: { 'x-service-signature': signature },
    });
    const verified = await verifyRequest(request, { secrets, now: () => nextMoment() * 1000 });
    expect(verified).toMatchObject({ id: 'evt_1', scheme });
    expect(
      verifySignature({ body: event, signature, secrets, scheme, now: () => t * 1000 }),
    ).toEqual(scheme);
  });

  it('is refused with one bit of the body, the time, the digest or the secret changed', () => {
    const changed = Object.entries(spoilt(scheme, nextMoment(), event));
    expect(changed).toHaveLength(4);
    for (const [what, delivery] of changed) {
      const refusal = refusalOf(() => received(delivery));
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
  it(`passes for no other time or event, in any pair of schemes, over ${cases(600)}`, () => {
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
      { numRuns: cases(600), seed },
    );
    expect(read).toBeGreaterThan(cases(600));
  });
});

function verify(
  at: number,
  secret = schemeSecret,
  scheme = sha512,
  sent: string | Uint8Array = body,
) {
  const own = scheme === first ? signWebhook({ body: sent, secret, timestamp: at }) : undefined;
  const signature =
    own ?? signWebhook({ body: sent, secret, timestamp: at, scheme: { ...scheme } });
  return verifySignature({ body: sent, signature, secrets: [secret], now: () => at * 1000 });
}

const forged = (at: number, digits = 64, sent = body) =>
  refusalOf(() =>
    verifySignature({
      body: sent,
      signature: `t=${at},v1=${'0'.repeat(digits)}`,
      secrets: [schemeSecret],
      now: () => at * 1000,
    }),
  )?.message;

/** How often a body is hashed, which costs the most. */
function hmacsOf(run: () => unknown): number {
  const hash = jest.spyOn(crypto, 'createHmac');
  try {
    run();
    return hash.mock.calls.length;
  } finally {
    hash.mockRestore();
  }
}

const noneOfAll = expect.stringContaining('none of the signing secrets, in any known scheme. ');
const notAll = expect.stringContaining(
  'none of the signing secrets. Not every scheme was tried: the body is over 256 KiB, or too many deliveries were refused. ',
);

describe('a verifier', () => {
  it('hashes once for the assumed scheme, and once for another that fitted before', () => {
    const at = nextMoment();
    const secret = `whsec_${'ab'.repeat(16)}`;
    // One of them is made to sign.
    expect(hmacsOf(() => verify(at, secret, first))).toBe(2);
    expect(hmacsOf(() => verify(at, secret))).toBeGreaterThan(2);
    expect(hmacsOf(() => verify(at, secret))).toBe(2);
    expect(hmacsOf(() => verify(at, secret, first))).toBe(2);
  });

  it('keeps apart what fitted for each secret', () => {
    const at = nextMoment();
    const [one, two] = ['cd', 'ef'].map((pair) => `whsec_${pair.repeat(16)}`);
    const other = { ...sha512, signedContent: '{t}:{body}' };
    for (let round = 0; round < 2; round += 1) {
      const hmacs = [hmacsOf(() => verify(at, one)), hmacsOf(() => verify(at, two, other))];
      if (round === 1) expect(hmacs).toEqual([2, 2]);
    }
  });
});

describe('a flood of forged deliveries', () => {
  it('makes a verifier search 20 times a second, and still lets known schemes pass', () => {
    const at = nextMoment();
    verify(at);
    for (let nth = 0; nth < 20; nth += 1) expect(forged(at)).toEqual(noneOfAll);
    expect(forged(at)).toEqual(notAll);
    expect(hmacsOf(() => forged(at))).toBe(1);
    // What was remembered for the secret has another number of digits, so nothing is hashed.
    expect(hmacsOf(() => forged(at, 96))).toBe(0);
    expect(verify(at, schemeSecret, first)).toEqual(first);
    expect(verify(at)).toEqual(sha512);
    expect(refusalOf(() => verify(at, 'whsec_0123456789'))?.message).toEqual(notAll);
    expect(verify(at + 1, 'whsec_0123456789')).toEqual(sha512);
    expect(forged(at + 1)).toEqual(noneOfAll);
  });

  it('is one of refused deliveries: those that a search accepts do not count', () => {
    const at = nextMoment();
    for (let nth = 10; nth < 40; nth += 1) verify(at, `whsec_aa${nth}`);
    expect(forged(at)).toEqual(noneOfAll);
  });

  it('of over 256 KiB makes no verifier search, which still knows what fitted', () => {
    const at = nextMoment();
    const large = `{"type":"${'x'.repeat(256 * 1024 - 11)}"}`;
    const secret = `whsec_${'12'.repeat(16)}`;
    expect(verify(at, secret, sha512, large)).toEqual(sha512);
    const larger = large.replace('x', 'xx');
    expect(verify(at, secret, sha512, larger)).toEqual(sha512);
    expect(refusalOf(() => verify(at, `${secret}12`, sha512, larger))?.message).toEqual(notAll);
    expect(forged(at, 64, larger)).toEqual(notAll);
  });
});

describe('a body that is not an object', () => {
  it.each(['[{}]', '"{}"', '\u00a0{}', '{}\v', '{}\0', '\uFEFF{}', '{', '', '\n'])(
    'is accepted in the assumed scheme only: %j',
    (sent) => {
      for (const raw of [sent, Buffer.from(sent)]) {
        const at = nextMoment();
        expect(verify(at, schemeSecret, first, raw)).toEqual(first);
        expect(refusalOf(() => verify(at, schemeSecret, sha512, raw))?.message).toMatch(
          /^The signature matches none of the signing secrets\. /,
        );
      }
    },
  );
});

describe('a key that anyone knows', () => {
  it.each(['whsec_', 'whsec_AAAA', 'whsec_0000', '0000', 'AAAAAAAA', 'whsec_=', 'whsec_===='])(
    'is never made from a secret: %s',
    (secret) => {
      const at = nextMoment();
      for (const key of ['', Buffer.alloc(3), Buffer.alloc(64)]) {
        const v1 = createHmac('sha256', key).update(`${at}.${body}`).digest('hex');
        const options = { body, secrets: [secret], now: () => at * 1000 };
        const signature = `t=${at},v1=${v1}`;
        expect(refusalOf(() => verifySignature({ ...options, signature }))?.message).toEqual(
          noneOfAll,
        );
      }
    },
  );
});

it('a decoded key may stand without the prefix', () => {
  const at = nextMoment();
  const bytes = Buffer.from('3030313233343536373839fbff', 'hex');
  for (const [key, secret] of [
    ['hex', bytes.toString('hex')],
    ['base64', bytes.toString('base64')],
    ['base64', bytes.toString('base64url')],
  ] as const) {
    const v1 = createHmac('sha1', bytes).update(`${at}${body}`).digest('hex');
    const options = { body, secrets: [secret], now: () => at * 1000 };
    expect(verifySignature({ ...options, signature: `t=${at},v1=${v1}` })).toEqual({
      algorithm: 'sha1',
      signedContent: '{t}{body}',
      key,
    });
  }
});
