import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import { testCredential } from '../../n8n/engine/credential-dialog.ts';
import { credentialsOf, startWorld } from '../../n8n/world.ts';
import { failures } from './failures.ts';

export interface Dialog extends INodeCredentialTestResult {
  readonly credential: string;
  readonly when: string;
}

const baseUrls: Readonly<Record<string, string>> = {
  'no base URL': '',
  'a base URL without https://': 'service.example/api/v1',
  'http in a public network': 'http://service.example/api/v1',
  'another version': 'https://service.example/api/v2',
  'a user name in the base URL': 'https://user@service.example/api/v1',
  'a query in the base URL': 'https://service.example/api/v1?a=1',
  'a host that does not listen': 'http://127.0.0.1:1/api/v1',
};

const mistakes: Readonly<Record<string, Readonly<Record<string, ICredentialDataDecryptedObject>>>> =
  {
    screenAdvertisingApi: {
      'no key': { apiKey: '' },
      'no API key but something else': { apiKey: 'secret-of-a-client' },
      'half a key': { apiKey: 'svc_half of it' },
      'a wrong key': { apiKey: 'svc_wrong' },
    },
    screenAdvertisingClientCredentialsApi: {
      'no client ID': { clientId: '' },
      'no client secret': { clientSecret: '' },
      'an API key as the secret': { clientSecret: 'svc_wrong' },
      'a wrong secret': { clientSecret: 'wrong' },
    },
    screenAdvertisingWebhookApi: {
      'no signing secret': { signingSecret: ' ' },
      'a signing secret': {},
    },
  };

/** Makes every mistake that can be made with a credential, and notes what its dialog says. */
export async function dialogs(): Promise<Dialog[]> {
  const shown: Dialog[] = [];
  const world = await startWorld();
  const { host } = new URL(world.baseUrl);
  for (const [type, own] of Object.entries(mistakes)) {
    const data = credentialsOf(world.sandbox, world.baseUrl)[type] ?? {};
    const note = async (when: string, changes: ICredentialDataDecryptedObject = {}) => {
      const { status, message } = await testCredential(world.engine, type, { ...data, ...changes });
      const credential = world.engine.package.credentials.get(type)?.displayName ?? type;
      shown.push({
        credential,
        when,
        status,
        message: message.replaceAll(host, 'service.example'),
      });
    };
    for (const [when, changes] of Object.entries(own)) await note(when, changes);
    if (!('baseUrl' in data)) continue;
    for (const [when, baseUrl] of Object.entries(baseUrls)) await note(when, { baseUrl });
    for (const [when, rule] of Object.entries(failures)) {
      world.sandbox.faults.add({ ...rule, path: '/screens' });
      await note(when);
      world.sandbox.reset();
    }
  }
  await world.stop();
  return shown;
}
