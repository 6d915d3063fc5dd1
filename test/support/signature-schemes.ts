import { createHmac } from 'node:crypto';
import type { DeliveryScheme } from '@screen-advertising/core/webhooks';
import { tier } from './tier.ts';

/** Reads as text, with and without its prefix, as base64 and as hex: each gives another key. */
export const schemeSecret: string = `whsec_${'0badc0ffee15900d'.repeat(4)}`;

const rest = schemeSecret.slice('whsec_'.length);

const keys: Readonly<Record<DeliveryScheme['key'], string | Buffer>> = {
  text: schemeSecret,
  unprefixed: rest,
  base64: Buffer.from(rest, 'base64'),
  hex: Buffer.from(rest, 'hex'),
};

type Content = (t: string, body: Buffer) => (string | Buffer)[];

/** Written by hand, so that a mistake in the templates of the product shows. */
const contents: Readonly<Record<string, Content>> = {
  '{t}.{body}': (t, body) => [t, '.', body],
  '{t}{body}': (t, body) => [t, body],
  '{body}': (_t, body) => [body],
  '{body}.{t}': (t, body) => [body, '.', t],
  '{body}{t}': (t, body) => [body, t],
  '{t}:{body}': (t, body) => [t, ':', body],
  '{t}\n{body}': (t, body) => [t, '\n', body],
  'v1:{t}:{body}': (t, body) => ['v1:', t, ':', body],
  'v1.{t}.{body}': (t, body) => ['v1.', t, '.', body],
};

const algorithms = ['sha1', 'sha256', 'sha384', 'sha512'] as const;

/** 4 algorithms, 9 signed contents and 4 keys. */
export const everyScheme: readonly DeliveryScheme[] = algorithms.flatMap((algorithm) =>
  Object.keys(contents).flatMap((signedContent) =>
    (Object.keys(keys) as DeliveryScheme['key'][]).map((key) => ({
      algorithm,
      signedContent,
      key,
    })),
  ),
);

/** Everyday, each pair of an algorithm, a content and a key once; in the other tiers every cell. */
export const schemes: readonly DeliveryScheme[] = everyScheme.filter((_, index) => {
  const [algorithm, content, key] = [Math.floor(index / 36), Math.floor(index / 4) % 9, index % 4];
  return tier !== 'everyday' || (algorithm + content) % 4 === key;
});

/** What the service signs. */
export function contentOf({ signedContent }: DeliveryScheme, t: number | string, body: Buffer) {
  const parts = contents[signedContent]?.(String(t), body) ?? [];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** The header of the service in a scheme; made without the core. */
export function headerOf(
  scheme: DeliveryScheme,
  t: number | string,
  body: Buffer | string,
): string {
  const hmac = createHmac(scheme.algorithm, keys[scheme.key]);
  return `t=${t},v1=${hmac.update(contentOf(scheme, t, Buffer.from(body))).digest('hex')}`;
}

export interface Delivered {
  readonly body: string;
  readonly signature: string;
}

/** The same delivery with one bit changed: of the last character of the data in the body, the time, the digest, or of its secret. */
export function spoilt(
  scheme: DeliveryScheme,
  t: number,
  body: string,
): Readonly<Record<string, Delivered>> {
  const signature = headerOf(scheme, t, body);
  const flipped = (text: string) => String.fromCharCode(text.charCodeAt(0) ^ 1);
  const key = Buffer.from(keys[scheme.key]);
  key[0] = (key[0] ?? 0) ^ 1;
  const foreign = createHmac(scheme.algorithm, key).update(contentOf(scheme, t, Buffer.from(body)));
  const at = body.length - 4;
  return {
    body: { body: body.slice(0, at) + flipped(body.slice(at)) + body.slice(at + 1), signature },
    time: { body, signature: signature.replace(`t=${t}`, `t=${t ^ 1}`) },
    digest: { body, signature: signature.slice(0, -1) + otherDigit(signature.slice(-1)) },
    secret: { body, signature: `t=${t},v1=${foreign.digest('hex')}` },
  };
}

function otherDigit(digit: string): string {
  return (Number.parseInt(digit, 16) ^ 1).toString(16);
}

/** What a bit of the time changes where it is not signed: nothing. */
export const signsTime = ({ signedContent }: DeliveryScheme): boolean =>
  signedContent.includes('{t}');

export const nameOf = ({ algorithm, signedContent, key }: DeliveryScheme): string =>
  `${algorithm} of ${JSON.stringify(signedContent)} by ${key}`;
