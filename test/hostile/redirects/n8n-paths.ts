import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { testCredential } from '../../n8n/engine/credential-dialog.ts';
import { Engine } from '../../n8n/engine/engine.ts';
import { asDeclared, n8nCore } from '../../n8n/engine/n8n.ts';
import { type Path, type Paths, secrets, unusedAccess } from './path.ts';

const ofKey = 'screenAdvertisingApi';
const ofClient = 'screenAdvertisingClientCredentialsApi';

/** The action node, the tests of its credentials, and what n8n's HTTP Request node does with them. */
export async function n8nPaths(): Promise<Paths> {
  const engine = await Engine.start();
  const path = (name: string, send: () => Promise<unknown>, accessToken = secrets.token): Path => ({
    name: `${name} in n8n`,
    send: (baseUrl) => {
      engine.credentials[ofKey] = { baseUrl, apiKey: secrets.key };
      engine.credentials[ofClient] = { baseUrl, ...unusedAccess(), accessToken };
      return send();
    },
  });
  const run = async (authentication: string): Promise<void> => {
    const parameters = { resource: 'user', operation: 'lookUp', email: 'lead@example.com' };
    const node = { type: 'screenAdvertising', parameters: { authentication, ...parameters } };
    const { error } = await engine.runNode(node);
    if (error) throw error;
  };
  const dialog = (type: string) => testCredential(engine, type, engine.credentials[type] ?? {});
  const credentials = { [ofKey]: 'apiKey', [ofClient]: 'clientCredentials' };
  const requests = Object.entries(credentials).flatMap(([credential, authentication]) => {
    const context = contextOf(engine, authentication);
    const { httpRequestWithAuthentication, requestWithAuthentication } = context.helpers;
    const url = (): string => `${engine.credentials[credential]?.baseUrl}/screens`;
    return [
      path(`a request with ${credential} by the newer helper`, () =>
        httpRequestWithAuthentication.call(context, credential, { url: url() }),
      ),
      path(`a request with ${credential} by the older helper`, () =>
        requestWithAuthentication.call(context, credential, { uri: url() }),
      ),
    ];
  });
  return {
    paths: [
      path('a call with an API key', () => run('apiKey')),
      path('a call with a token', () => run('clientCredentials')),
      path('a token', () => run('clientCredentials'), ''),
      path('the test of an API key', () => dialog(ofKey)),
      path('the test of a token', () => dialog(ofClient)),
      ...requests,
    ],
    close: async () => undefined,
  };
}

function contextOf(engine: Engine, authentication: string): ILoadOptionsFunctions {
  const parameters = { authentication };
  const workflow = engine.workflow([{ type: 'screenAdvertising', name: 'Node', parameters }]);
  const [node] = Object.values(workflow.nodes);
  if (!node) throw new Error('A workflow needs a node.');
  node.credentials = Object.fromEntries(
    [ofKey, ofClient].map((name) => [name, { id: name, name }]),
  );
  const additionalData = engine.additionalData('manual', workflow);
  return asDeclared(new n8nCore.LoadOptionsContext(workflow, node, additionalData, ''));
}
