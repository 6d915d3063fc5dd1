import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { credentialMistakes } from './credential-mistakes.ts';
import { testCredential } from './engine/credential-dialog.ts';
import { credentialsOf, startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.sandbox.reset());
afterAll(() => world.stop());

/** What the dialog says about the first access's credential with some fields changed. */
async function dialog(type: string, changes: ICredentialDataDecryptedObject = {}) {
  const stored = credentialsOf(world.sandbox, world.baseUrl)[type] ?? {};
  return await testCredential(world.engine, type, { ...stored, ...changes });
}

it.each(['screenAdvertisingApi', 'screenAdvertisingClientCredentialsApi'])(
  'the dialog of %s accepts working values, however they were pasted',
  async (type) => {
    const ok = { status: 'OK', message: 'Connection tested successfully' };
    expect(await dialog(type)).toEqual(ok);
    const stored = credentialsOf(world.sandbox, world.baseUrl)[type] ?? {};
    const pasted = Object.fromEntries(
      Object.entries(stored).map(([field, value]) => [field, `\t${String(value)} \n`]),
    );
    expect(await dialog(type, pasted)).toEqual(ok);
    const { origin } = new URL(world.baseUrl);
    for (const baseUrl of [`${world.baseUrl}/`, origin, `${origin}/api/`]) {
      expect(await dialog(type, { baseUrl })).toEqual(ok);
    }
  },
);

describe.each(Object.entries(credentialMistakes))('the dialog of %s', (type, mistakes) => {
  it.each(mistakes.map((mistake) => [mistake.when, mistake] as const))(
    'says what to do about %s',
    async (_when, { changes = {}, fault, status = 'Error', says }) => {
      if (fault) world.sandbox.faults.add(fault);
      expect(await dialog(type, changes)).toEqual({ status, message: says });
    },
  );
});

it('a revoked secret is noticed, although an earlier test got a token', async () => {
  const type = 'screenAdvertisingClientCredentialsApi';
  await dialog(type);
  world.sandbox.faults.add({ fault: 'status', status: 401, path: '/oauth/token' });
  expect(await dialog(type)).toMatchObject({ status: 'Error' });
});
