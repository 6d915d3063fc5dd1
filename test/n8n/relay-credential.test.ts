import { describe, expect, it } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { makeToken } from '../../packages/relay/src/secrets/new-token.ts';
import { type Running, start } from '../relay/support/running-relay.ts';
import { testCredential } from './engine/credential-dialog.ts';
import { Engine } from './engine/engine.ts';

/** What the dialog of the credential says, with some fields changed. */
async function dialog({ url, key }: Running, changes: ICredentialDataDecryptedObject = {}) {
  const { connectorKey } = key;
  const data = { baseUrl: url, connectorKey, ...changes };
  return await testCredential(await Engine.start(), 'screenAdvertisingRelayApi', data);
}

describe('the dialog of the relay credential', () => {
  it('accepts working values, however they were pasted, and says whose key it is', async () => {
    const running = await start();
    const [{ name } = { name: '' }] = await running.relay.tokens.list();
    const ok = {
      status: 'OK',
      message: `Connected to the relay as "${name}", for events of the source "main"`,
    };
    const { url, key } = running;
    expect(await dialog(running)).toEqual(ok);
    for (const baseUrl of [`${url}/`, ` ${url}\n`, `${url}/in/main`, `${url}/api/v1`]) {
      expect(await dialog(running, { baseUrl })).toEqual(ok);
    }
    expect(await dialog(running, { connectorKey: `\t${key.connectorKey} ` })).toEqual(ok);
  });

  const copy = 'Copy the whole connector key again: the relay shows it once, when you create it.';

  it.each<[what: string, changes: ICredentialDataDecryptedObject, says: string]>([
    ['no key', { connectorKey: ' ' }, `The connector key is missing. ${copy}`],
    [
      'an API key of the service',
      { connectorKey: 'svc_sandbox' },
      'The connector key must not be an API key of the service. Paste the key that the relay shows, which starts with rly_.',
    ],
    [
      'half a key',
      { connectorKey: makeToken().connectorKey.slice(0, 60) },
      `The connector key is incomplete or contains invalid characters. ${copy}`,
    ],
    [
      'the key of another relay',
      { connectorKey: makeToken().connectorKey },
      'Check Connector Key failed: the relay did not accept the credentials (401). The relay says: "This token is unknown or revoked. Ask the operator of the relay for a connector key." Check that the connector key is complete and belongs to this relay.',
    ],
    [
      'http in a public network',
      { baseUrl: 'http://relay.example' },
      'The base URL of the relay must start with https, because it carries your connector key; http works only for a relay on this machine or in a private network. Paste https://relay.example/api/v1 instead.',
    ],
    [
      'a host that does not listen',
      { baseUrl: 'http://127.0.0.1:1' },
      'No usable response from the relay: 127.0.0.1:1 refused the connection (ECONNREFUSED). Check the base URL and that the service is running. If n8n runs in a container, use host.docker.internal instead of this host.',
    ],
  ])('says what to do about %s', async (_what, changes, says) => {
    expect(await dialog(await start(), changes)).toEqual({ status: 'Error', message: says });
  });
});
