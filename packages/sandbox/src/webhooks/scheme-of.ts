import {
  type SignatureScheme,
  signatureAlgorithms,
  signedContents,
  signingKeys,
} from '@screen-advertising/core/webhooks';

/** `{t}\n{body}` is `t-newline-body`, so that a shell takes every word as it is. */
const contents = new Map(
  signedContents.map((content) => [
    content.replace(/[{}]/g, '').replace('\n', '-newline-'),
    content,
  ]),
);

/** The scheme that a variant names, such as `sha512,body,hex`. Throws a RangeError. */
export function schemeOf(variant: string): SignatureScheme {
  const words = variant.split(',');
  const kinds = [signatureAlgorithms, [...contents.keys()], signingKeys].map((known) =>
    words.filter((word) => known.some((name) => name === word)),
  );
  if (kinds.flat().length < words.length || kinds.some(({ length }) => length > 1)) {
    throw new RangeError(
      `variant signatureScheme must be at most one of ${signatureAlgorithms.join(', ')}, of ${[...contents.keys()].join(', ')}, and of ${signingKeys.join(', ')}, joined with commas, such as sha512,body,hex; not ${variant}.`,
    );
  }
  const [[algorithm] = [], [content = ''] = [], [key] = []] = kinds;
  return { algorithm, signedContent: contents.get(content), key } as SignatureScheme;
}
