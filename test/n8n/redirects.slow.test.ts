import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { ScriptedService } from '../shared/support/scripted-service.ts';
import { Engine } from './engine.ts';
import { asDeclared, firstNode, n8nCore } from './n8n.ts';
import { storedToken } from './stored-token.ts';

const [service, elsewhere] = [new ScriptedService(), new ScriptedService()];
const secrets = { apiKey: 'svc_only_for_the_base_url', accessToken: 'sat_only_for_the_base_url' };
let engine: Engine;
beforeAll(async () => {
  await Promise.all([service.start(), elsewhere.start()]);
  const { baseUrl } = service;
  const access = { baseUrl, clientId: 'client', clientSecret: 'secret' };
  engine = await Engine.start({
    screenAdvertisingApi: { baseUrl, apiKey: secrets.apiKey },
    screenAdvertisingClientCredentialsApi: {
      ...access,
      accessToken: storedToken(access, secrets.accessToken),
    },
  });
});
beforeEach(() => {
  for (const one of [service, elsewhere]) one.reset();
});
afterAll(() => Promise.all([service.stop(), elsewhere.stop()]));

/** The helpers with which n8n's HTTP Request node sends a credential, in its two versions. */
function helpersWith(credential: string, authentication: string) {
  const parameters = { authentication };
  const workflow = engine.workflow([{ type: 'screenAdvertising', name: 'Node', parameters }]);
  const node = firstNode(workflow);
  node.credentials = { [credential]: { id: credential, name: credential } };
  const data = engine.additionalData('manual', workflow);
  const context = asDeclared<ILoadOptionsFunctions>(
    new n8nCore.LoadOptionsContext(workflow, node, data, ''),
  );
  const { httpRequestWithAuthentication, requestWithAuthentication } = context.helpers;
  return [
    (url: string) => httpRequestWithAuthentication.call(context, credential, { url }),
    (uri: string) => requestWithAuthentication.call(context, credential, { uri }),
  ];
}

it.each([
  ['screenAdvertisingApi', 'apiKey', secrets.apiKey],
  ['screenAdvertisingClientCredentialsApi', 'clientCredentials', secrets.accessToken],
])(
  'n8n takes the secret of %s along on no redirect',
  async (credential, authentication, secret) => {
    for (const send of helpersWith(credential, authentication)) {
      for (const status of [301, 302, 307, 308]) {
        const location = `${elsewhere.origin}/file`;
        service.on('GET /screens', { status, headers: { location } });
        await send(`${service.baseUrl}/screens`).catch(() => undefined);
        const [sent] = service.received.splice(0);
        expect(sent?.headers.authorization).toBe(`Bearer ${secret}`);
      }
    }
    expect(elsewhere.received).toEqual([]);
  },
);
