import crypto from 'node:crypto';
import { writeSync } from 'node:fs';
import { fc } from '@fast-check/jest';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { signWebhook, verifySignature, WebhookVerificationError } from '@screen-advertising/core';
import { createReplayMemory } from '@screen-advertising/core/webhooks';
import Stripe from 'stripe';
import { loosely, refusalOf as refused } from '../../shared/webhooks/delivery.ts';
import { cases, seed } from '../../support/tier.ts';
import { type Attempt, attempt, now, secret, toleranceSeconds } from './attacks.ts';
import { body, refusedHeaders, signature } from './refused-headers.ts';

const runs = cases(100_000);
const stripe = new Stripe('sk_not_used');

/** `accepted`, the reason for a refusal, or an undeclared error. */
function ours(
  { body, signature }: Pick<Attempt, 'body' | 'signature'>,
  secrets = [secret],
): string {
  try {
    verifySignature({ body, signature, secrets, toleranceSeconds, now: () => now * 1000 });
    return 'accepted';
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : `untyped: ${error}`;
  }
}

function theirs({ body, signature }: Attempt): 'accepted' | 'refused' {
  try {
    const signed = stripe.webhooks.signature;
    if (!signed) throw new Error('Stripe brings no verifier.');
    signed.verifyHeader(
      Buffer.from(body),
      signature,
      secret,
      toleranceSeconds,
      undefined,
      now * 1000,
    );
    return 'accepted';
  } catch {
    return 'refused';
  }
}

/** Why the two verifiers may differ. Any other difference is unexplained. */
function explanation({ body, signature }: Attempt, our: string): string | undefined {
  const [, time = ''] = /(?:^|,)t=([^,]*)/.exec(signature) ?? [];
  if (our !== 'accepted') {
    if (our === 'timestamp_out_of_tolerance' && Number(time) > now)
      return 'Stripe takes any future';
    if (!/^\d+$/.test(time)) return 'Stripe reads digits and drops the rest of t';
    if ((signature.match(/(^|,)t=/g) ?? []).length > 1) return 'Stripe takes the last of several t';
    return undefined;
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const isText = Buffer.from(text).equals(Buffer.from(body)) && !text.startsWith('\u{feff}');
  return isText
    ? undefined
    : 'Stripe signs decoded text, which bytes that are no UTF-8 do not survive';
}

const refusalOf = (header: unknown) =>
  refused(() =>
    loosely(verifySignature)({ body, signature: header, secrets: [secret], now: () => now * 1000 }),
  );

const differences = new Map<string, number>();
let accepted = 0;

describe(`${runs} attempts to be taken for the service`, () => {
  it('accept what the service signed and nothing else, with typed errors, as Stripe does or for a reason', () => {
    fc.assert(
      fc.property(attempt, (one) => {
        const our = ours(one);
        if ((our === 'accepted') !== one.isHonest)
          throw new Error(`${our} though isHonest is ${one.isHonest}`);
        if (our.startsWith('untyped')) throw new Error(our);
        if (our === 'accepted') accepted += 1;
        if ((our === 'accepted') === (theirs(one) === 'accepted')) return;
        const why = explanation(one, our);
        if (why === undefined) throw new Error(`Stripe differs: ${our} for ${one.signature}`);
        differences.set(why, (differences.get(why) ?? 0) + 1);
      }),
      { numRuns: runs, seed },
    );
    expect(accepted).toBeGreaterThan(runs / 10);
  });

  afterAll(() => {
    const lines = [...differences].map(([why, count]) => `  ${count}: ${why}`);
    writeSync(
      1,
      `\nwebhooks: ${runs} attempts, ${accepted} honest; Stripe differs:\n${lines.join('\n')}\n`,
    );
  });
});

describe('a header that cannot be trusted', () => {
  it.each(refusedHeaders)('is refused without hashing the body: %s', (_what, header, why) => {
    const hash = jest.spyOn(crypto, 'createHmac');
    const refusal = refusalOf(header);
    expect([refusal?.reason, refusal?.message, hash.mock.calls]).toEqual([
      'malformed_signature',
      `The header x-service-signature cannot be read: ${why}. Expected t=<unix seconds>,v1=<hex>.`,
      [],
    ]);
    hash.mockRestore();
  });

  it.each([undefined, null, ''])('is missing when it is %j', (header) => {
    expect(refusalOf(header)).toMatchObject({
      reason: 'missing_signature',
      message:
        'The delivery has no x-service-signature header, so it did not come from the service.',
    });
  });

  it('is refused when it arrived twice', () => {
    expect(refusalOf([signature, signature])?.message).toContain('it was sent more than once');
  });

  it.each([42, {}, new Map(), Symbol('header'), () => signature])(
    'must be text, not %p',
    (header) => {
      expect(refusalOf(header)).toMatchObject({
        reason: 'invalid_argument',
        message: 'signature must be the value of the header x-service-signature as text.',
      });
    },
  );
});

it('a delivery sent again cannot outlive the memory: who is forgotten is also too old', () => {
  let time = now * 1000;
  const memory = createReplayMemory({ now: () => time, retentionSeconds: toleranceSeconds });
  memory.claim('evt_1');
  time += (toleranceSeconds + 1) * 1000;
  expect(memory.claim('evt_1')).toBe(true);
  expect(() =>
    verifySignature({ body, signature, secrets: [secret], toleranceSeconds, now: () => time }),
  ).toThrow(WebhookVerificationError);
});

it('while secrets are replaced, either is accepted and no third', () => {
  const body = Buffer.from('{}');
  const by = (key: string) => signWebhook({ body, secret: key, timestamp: now });
  const secrets = ['new', 'old'];
  expect(['new', 'old', 'older'].map((key) => ours({ body, signature: by(key) }, secrets))).toEqual(
    ['accepted', 'accepted', 'signature_mismatch'],
  );
  const both = `${by('older')},${by('old').split(',')[1]}`;
  expect(ours({ body, signature: both }, secrets)).toBe('accepted');
});
