import crypto from 'node:crypto';
import { writeSync } from 'node:fs';
import { fc } from '@fast-check/jest';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { signWebhook, verifySignature, WebhookVerificationError } from '@screen-advertising/core';
import { createReplayMemory } from '@screen-advertising/core/webhooks';
import Stripe from 'stripe';
import { cases, seed } from '../../support/tier.ts';
import { type Attempt, attempt, now, secret, toleranceSeconds } from './attacks.ts';

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

describe('a bomb', () => {
  const body = Buffer.from('{"type":"campaign.paid"}');
  const v1 = `,v1=${'0'.repeat(64)}`;

  /** How often the body is signed, which costs the most. */
  function signaturesMade(signature: string): number {
    const sign = jest.spyOn(crypto, 'createHmac');
    expect(ours({ body, signature })).not.toBe('accepted');
    const made = sign.mock.calls.length;
    sign.mockRestore();
    return made;
  }

  it.each([
    ['a header of 1 MB', `t=${now},v1=${'a'.repeat(1_000_000)}`],
    ['a header of 1 MB of commas', ','.repeat(1_000_000)],
    ['a header of 1 MB of white space', `t=${now}${' '.repeat(1_000_000)},v1=00`],
    ['10,000 signatures', `t=${now}${v1.repeat(10_000)}`],
    ['10,000 timestamps', `t=${now},`.repeat(10_000)],
    ['as many digits as fit', `t=${'1'.repeat(4000)},v1=00`],
    ['as many signatures as fit', `t=${now}${v1.repeat(58)}`],
  ])('of %s is refused without hashing the body', (_what, signature) => {
    expect(signaturesMade(signature)).toBe(0);
  });
});

describe('a delivery sent again', () => {
  const body = Buffer.from('{"id":"evt_1","type":"campaign.paid"}');

  it.each([0, 1, 5, 36, 156, 756, 899, 900])(
    '%d s later is from the service, and known',
    (late) => {
      const signature = signWebhook({ body, secret, timestamp: now - late });
      expect(ours({ body, signature })).toBe('accepted');
      const memory = createReplayMemory({ now: () => now * 1000 });
      expect([memory.claim('evt_1'), memory.claim('evt_1')]).toEqual([true, false]);
    },
  );

  it.each([901, 3600, -901, -86_400])('%d s later is refused', (late) => {
    const signature = signWebhook({ body, secret, timestamp: now - late });
    expect(ours({ body, signature })).toBe('timestamp_out_of_tolerance');
  });

  it('cannot outlive the memory: who is forgotten is also too old', () => {
    let time = now * 1000;
    const memory = createReplayMemory({ now: () => time, retentionSeconds: toleranceSeconds });
    memory.claim('evt_1');
    const signature = signWebhook({ body, secret, timestamp: now });
    time += (toleranceSeconds + 1) * 1000;
    expect(memory.claim('evt_1')).toBe(true);
    expect(() =>
      verifySignature({ body, signature, secrets: [secret], toleranceSeconds, now: () => time }),
    ).toThrow(WebhookVerificationError);
  });
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
