import { describe, expect, it } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { makeToken } from '../../packages/relay/src/base/secrets.ts';
import { start } from '../relay/support/running-relay.ts';
import { testCredential } from './credential-dialog.ts';
import { credentialMistakes } from './credential-mistakes.ts';
import { credentialsOf } from './engine.ts';
import { useWorld } from './world.ts';

const world = useWorld();

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

describe('the dialog of the relay credential', () => {
  const ofRelay = async (data: ICredentialDataDecryptedObject) =>
    await testCredential(world.engine, 'screenAdvertisingRelayApi', data);

  it('accepts working values, however they were pasted, and says whose key it is', async () => {
    const { relay, url, key } = await start();
    const { connectorKey } = key;
    const [{ name } = { name: '' }] = await relay.tokens.list();
    const ok = {
      status: 'OK',
      message: `Connected to the relay as "${name}", for events of the source "main"`,
    };
    for (const baseUrl of [url, ` ${url}/\n`, `${url}/in/main`, `${url}/api/v1`]) {
      expect(await ofRelay({ baseUrl, connectorKey: `\t${connectorKey} ` })).toEqual(ok);
    }
    expect(await ofRelay({ baseUrl: url, connectorKey: makeToken().connectorKey })).toEqual({
      status: 'Error',
      message:
        'Check Connector Key failed: the relay did not accept the credentials (401). The relay says: "This token is unknown or revoked. Ask the operator of the relay for a connector key." Check that the connector key is complete and belongs to this relay.',
    });
  });

  it.each<[what: string, changes: ICredentialDataDecryptedObject, says: string]>([
    [
      'a host that does not listen',
      {},
      'No usable response from the relay: 127.0.0.1:1 refused the connection (ECONNREFUSED). Check the base URL and that the service is running. If n8n runs in a container, use host.docker.internal instead of this host.',
    ],
  ])('says what to do about %s', async (_what, changes, message) => {
    const { connectorKey } = makeToken();
    const data = { baseUrl: 'http://127.0.0.1:1', connectorKey, ...changes };
    expect(await ofRelay(data)).toEqual({ status: 'Error', message });
  });
});
