import { describe, expect, it } from '@jest/globals';
import { signWebhook, verifySignature } from '@screen-advertising/core';
import {
  body,
  hex,
  honest,
  loosely,
  refusalOf,
  secret,
  signature,
  time,
  utf8,
  verify,
} from './delivery.ts';

describe('secrets', () => {
  it('are checked in turn, and no further than needed', () => {
    const now = () => time * 1000;
    const readsOf = (secrets: string[]) => {
      const reads = secrets.map(() => 0);
      const list = new Proxy(secrets, {
        get(target, name, receiver) {
          const nth = Number(String(name));
          if (nth in reads) reads[nth] = (reads[nth] ?? 0) + 1;
          return Reflect.get(target, name, receiver);
        },
      });
      verifySignature({ body, signature, secrets: list, now });
      return reads;
    };
    // Each is read once to check that it is a text.
    expect(readsOf([secret, 'b', 'c'])).toEqual([2, 1, 1]);
    expect(readsOf(['b', secret, 'c'])).toEqual([2, 2, 1]);
  });

  it.each([` ${secret}`, `${secret}\n`])('hint at white space around %j', (pasted) => {
    const refusal = refusalOf(() => verify(honest(), [pasted]));
    expect(refusal?.reason).toBe('signature_mismatch');
    expect(refusal?.message).toBe(
      'The signature matches none of the signing secrets, in any known scheme. A secret starts or ends with white space: paste it again without it. Check that the secret belongs to this access and that nothing changed the body.',
    );
  });

  it('hint at white space around one of several', () => {
    expect(refusalOf(() => verify(honest(), ['old', ` ${secret}`]))?.message).toContain(
      'A secret starts or ends with white space: paste it again without it.',
    );
  });

  it('may hold white space when the service signs with it', () => {
    const spaced = ' a secret ';
    const header = signWebhook({ body, secret: spaced, timestamp: time });
    expect(() => verify({ body, signature: header }, [spaced])).not.toThrow();
  });

  it.each<[unknown]>([[[]], [undefined], [null], [secret], [{ 0: secret }]])(
    'are a list with at least one: %j is refused',
    (secrets) => {
      const refusal = refusalOf(() => loosely(verifySignature)({ body, signature, secrets }));
      expect(refusal?.reason).toBe('invalid_argument');
      expect(refusal?.message).toBe('secrets must be a list with at least one signing secret.');
    },
  );

  it.each<[unknown]>([[''], [' '], [undefined], [42], [utf8(secret)]])(
    'are never empty, also beside a good one: %j is refused',
    (bad) => {
      const secrets = [secret, bad];
      const refusal = refusalOf(() => loosely(verifySignature)({ body, signature, secrets }));
      expect(refusal?.reason).toBe('invalid_argument');
      expect(refusal?.message).toBe(
        'Each secret must be a signing secret: text that is not empty.',
      );
    },
  );

  it('never appear in an error, and neither do signature and body', () => {
    const refusal = refusalOf(() =>
      verify({ ...honest(), body: 'foreign body' }, [secret, 'second secret']),
    );
    const shown = `${refusal?.stack}${JSON.stringify(refusal)}`;
    expect(shown).toContain('matches none of the signing secrets');
    for (const hidden of [secret, 'second secret', hex, 'foreign body'])
      expect(shown).not.toContain(hidden);
  });
});
