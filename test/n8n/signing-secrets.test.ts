import { describe, expect, it } from '@jest/globals';
import { loadPackage } from './engine/load-package.ts';

describe('the test of a signing secret', () => {
  it.each([
    [
      { signingSecret: 'secret' },
      'OK',
      'The secret can be used. Whether it is the right one shows with the first delivery.',
    ],
    [
      { signingSecret: '' },
      'Error',
      'The signing secret is missing. Paste the one the Screen Advertising team gave you.',
    ],
    [
      { signingSecret: ' \n', previousSigningSecret: 'older' },
      'Error',
      'The signing secret is missing. Paste the one the Screen Advertising team gave you.',
    ],
  ])('signing secrets %j', async (credential, status, message) => {
    const methods = (await loadPackage()).nodes.get('screenAdvertisingTrigger')?.methods;
    const test = methods?.credentialTest?.testSigningSecrets;
    const result = await test?.call({} as never, { data: credential } as never);
    expect(result).toEqual({ status, message });
  });
});
