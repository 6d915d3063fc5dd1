import { expect, it } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { createSandbox } from '@screen-advertising/sandbox';
import { nameOf, schemes } from '../../support/signature-schemes.ts';
import { startReceiver } from '../support/receiver.ts';
import { start } from '../support/running-sandbox.ts';

it.each(schemes.map((scheme) => [nameOf(scheme), scheme] as const))(
  'deliveries are signed with %s',
  async (_name, scheme) => {
    const word = scheme.signedContent.replace('\n', '-newline-').replace(/[{}]/g, '');
    const variants = { signatureScheme: [scheme.key, word, scheme.algorithm].join(',') };
    const { sandbox, full } = await start({ variants });
    const receiver = await startReceiver();
    sandbox.webhooks.add({ url: receiver.url });
    await sandbox.fire('campaign.paid');
    const { body = '', headers } = receiver.arrivals[0] ?? {};
    const signature = headers?.['x-service-signature'];
    const options = { secrets: [full.signingSecret], now: () => sandbox.clock.now(), scheme };
    expect(verifyWebhook({ body, signature, ...options }).type).toBe('campaign.paid');
  },
);

it.each(['md5', 'sha256,sha512', 'body,t.body', 'hex,text', 'sha512, body', ''])(
  'a scheme must be made of known words, at most one of each kind, not %j',
  (signatureScheme) => {
    expect(() => createSandbox({ variants: { signatureScheme } })).toThrow(
      `variant signatureScheme must be at most one of sha1, sha256, sha384, sha512, of t.body, tbody, body, body.t, bodyt, t:body, t-newline-body, v1:t:body, v1.t.body, and of text, unprefixed, base64, hex, joined with commas, such as sha512,body,hex; not ${signatureScheme}.`,
    );
  },
);

it('a scheme must fit the secrets that you set', () => {
  const [access] = createSandbox().accesses;
  const options = { accesses: [access] as const, variants: { signatureScheme: 'hex' } };
  expect(() => createSandbox(options)).toThrow(
    'accesses: the signingSecret of full cannot be read as hex, as the variant signatureScheme says.',
  );
});
