import type { EngineNode } from '../../../n8n/n8n.ts';

type Workflow = (baseUrl: string) => EngineNode;

const credential = 'screenAdvertisingApi';

const ownLookUp =
  (options: Record<string, number>): Workflow =>
  () => ({
    type: 'screenAdvertising',
    parameters: {
      authentication: 'apiKey',
      resource: 'user',
      operation: 'lookUp',
      email: '={{ $json.email }}',
      options,
    },
  });

const httpLookUp =
  (options: Record<string, unknown>, more: Partial<EngineNode> = {}): Workflow =>
  (baseUrl) => ({
    name: 'HTTP Request',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    credentials: { [credential]: { id: credential, name: credential } },
    parameters: {
      authentication: 'predefinedCredentialType',
      nodeCredentialType: credential,
      url: `${baseUrl}/users/lookup`,
      sendQuery: true,
      queryParameters: { parameters: [{ name: 'email', value: '={{ $json.email }}' }] },
      options,
    } as EngineNode['parameters'],
    ...more,
  });

/** The same lookups, each with one node. */
export const lookUps: Readonly<Record<string, Workflow>> = {
  'this node': ownLookUp({}),
  'this node, concurrency 500': ownLookUp({ concurrency: 500 }),
  'HTTP Request, all at once': httpLookUp({}),
  'HTTP Request, all at once, On Error: Continue': httpLookUp(
    {},
    { onError: 'continueRegularOutput' },
  ),
  'HTTP Request, batching as n8n sets it': httpLookUp({
    batching: { batch: { batchSize: 50, batchInterval: 1000 } },
  }),
};

/** The items that each looks up. */
export function emailsOf(count: number): { readonly email: string }[] {
  return Array.from({ length: count }, (_, index) => ({ email: `lead-${index}@x.example` }));
}
