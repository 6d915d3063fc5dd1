import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { testCredential } from '../../n8n/engine/credential-dialog.ts';
import { Engine } from '../../n8n/engine/engine.ts';
import { asDeclared, n8nCore } from '../../n8n/engine/n8n.ts';
import { createZapierRunner } from '../../zapier/app/runner.ts';
import { startZapierBackend } from '../../zapier/app/zapier-backend.ts';

export const secrets = {
  key: 'svc_only_for_the_base_url',
  token: 'sat_only_for_the_base_url',
  clientSecret: 'only-for-the-base-url-client-secret',
};

/** One way on which a credential is sent to the service. */
export interface Path {
  readonly name: string;
  /** Sends it once; how that ends is of no matter. */
  send(baseUrl: string): Promise<unknown>;
}

interface Paths {
  readonly paths: readonly Path[];
  close(): Promise<void>;
}

let accesses = 0;

/** A new access, because a used one does not request a second token right after a failure. */
function unusedAccess() {
  accesses += 1;
  return { clientId: `client-${accesses}`, clientSecret: secrets.clientSecret };
}

const ofKey = 'screenAdvertisingApi';
const ofClient = 'screenAdvertisingClientCredentialsApi';

/** The tests of the credentials, and what n8n's HTTP Request node does with them. */
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

const { key, token } = secrets;
const session = { access_token: token, renew_at: '2999-01-01T00:00:00Z' };

/** The session, and the picture of a screen, which follows redirects. */
export async function zapierPaths(): Promise<Paths> {
  const { event, close } = await startZapierBackend();
  const withKey = (baseUrl: string) =>
    createZapierRunner({ baseUrl, credentials: { apiKey: key }, event });
  const withToken = (baseUrl: string, fields = session) =>
    createZapierRunner({ baseUrl, credentials: unusedAccess(), fields, event });
  const picture = (baseUrl: string) => ({ inputData: { url: `${baseUrl}/pictures/1.svg` } });
  const paths: Path[] = [
    {
      name: 'a token in Zapier',
      send: (baseUrl) => withToken(baseUrl).run('authentication.sessionConfig.perform'),
    },
    {
      name: 'a picture with an API key in Zapier',
      send: (baseUrl) => withKey(baseUrl).run(download, picture(baseUrl)),
    },
    {
      name: 'a picture with a token in Zapier',
      send: (baseUrl) => withToken(baseUrl).run(download, picture(baseUrl)),
    },
  ];
  return { paths, close };
}

const download = 'hydrators.downloadThumbnail';
