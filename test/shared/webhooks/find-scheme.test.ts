import crypto, { createHmac } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { signWebhook, verifySignature } from '@screen-advertising/core';
import type { FittingScheme, SignatureScheme } from '@screen-advertising/core/webhooks';
import { headerOf, schemeSecret } from '../../support/signature-schemes.ts';
import { loosely, refusalOf, time } from './delivery.ts';

const body = '{"type":"campaign.paid"}';
const sha512: FittingScheme = { algorithm: 'sha512', signedContent: '{body}', key: 'hex' };
const first: FittingScheme = { algorithm: 'sha256', signedContent: '{t}.{body}', key: 'text' };

/** Every test uses a separate moment, since a process searches 20 times a second. */
let moment = time;
const nextMoment = () => {
  moment += 10;
  return moment;
};

function verify(at: number, secret = schemeSecret, scheme = sha512, sent = body) {
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

describe('a body that does not start and end as an object', () => {
  it.each(['[{}]', '"{}"', ' {}', '{}\n', '\uFEFF{}', '{', ''])(
    'is accepted in the assumed scheme only: %j',
    (sent) => {
      const at = nextMoment();
      expect(verify(at, schemeSecret, first, sent)).toEqual(first);
      expect(refusalOf(() => verify(at, schemeSecret, sha512, sent))?.message).toMatch(
        /^The signature matches none of the signing secrets\. /,
      );
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

describe('a scheme set in code', () => {
  const at = nextMoment();
  const options = { body, secrets: [schemeSecret], now: () => at * 1000 };
  const pinned = (signature: string, scheme: SignatureScheme) =>
    verifySignature({ ...options, signature, scheme });

  it('is the only one that is accepted', () => {
    const signature = headerOf(sha512, at, body);
    expect(pinned(signature, sha512)).toEqual(sha512);
    for (const other of [{}, { algorithm: 'sha512' }, { ...sha512, key: 'text' }] as const) {
      expect(refusalOf(() => pinned(signature, other))?.reason).toBe('signature_mismatch');
    }
    expect(refusalOf(() => pinned(headerOf(first, at, body), sha512))?.reason).toBe(
      'signature_mismatch',
    );
  });

  it('may sign other content, by a template or a function, and a body of any form', () => {
    const bars = { signedContent: '{t}|{body}|{t}' };
    const lines = (t: string, raw: Uint8Array | string) => [raw, '\n', t];
    for (const scheme of [bars, { signedContent: lines }]) {
      const signature = signWebhook({ body: 'text', secret: schemeSecret, timestamp: at, scheme });
      const content = scheme === bars ? `${at}|text|${at}` : `text\n${at}`;
      expect(signature.slice(-64)).toBe(
        createHmac('sha256', schemeSecret).update(content).digest('hex'),
      );
      expect(verifySignature({ ...options, body: 'text', signature, scheme }).signedContent).toBe(
        String(scheme.signedContent),
      );
    }
  });

  const content =
    'scheme.signedContent must be a template with {body} once, such as {t}.{body}, or a function that returns a list of strings and bytes.';
  it.each<[unknown, string]>([
    [null, 'scheme must be an object.'],
    ['sha512', 'scheme must be an object.'],
    [{ algorithm: 'md5' }, 'scheme.algorithm must be one of sha1, sha256, sha384, sha512.'],
    [{ algorithm: null }, 'scheme.algorithm must be one of sha1, sha256, sha384, sha512.'],
    [{ key: 'toString' }, 'scheme.key must be one of text, unprefixed, base64, hex.'],
    [{ signedContent: '{t}' }, content],
    [{ signedContent: '{body}{body}' }, content],
    [{ signedContent: 42 }, content],
    [{ signedContent: () => body }, content],
    [{ signedContent: () => [time, body] }, content],
  ])('must be possible, not %j', (scheme, message) => {
    const signature = `t=${at},v1=${'0'.repeat(64)}`;
    const refusal = refusalOf(() => loosely(verifySignature)({ ...options, signature, scheme }));
    expect([refusal?.reason, refusal?.message]).toEqual(['invalid_argument', message]);
  });

  it('cannot sign with a secret that its key cannot be read from', () => {
    const sign = () =>
      signWebhook({ body, secret: 'no hex', timestamp: at, scheme: { key: 'hex' } });
    expect(refusalOf(sign)?.message).toBe('secret cannot be read as hex.');
    expect(refusalOf(() => pinned(headerOf(first, at, body), { key: 'hex' }))?.reason).toBe(
      'signature_mismatch',
    );
  });
});
