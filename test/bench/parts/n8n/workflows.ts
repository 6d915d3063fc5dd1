import type { Sandbox } from '@screen-advertising/sandbox';
import type { EngineNode } from '../../../n8n/engine/engine.ts';

/** The same task for different nodes, run one after another. */
export interface Workflow {
  readonly nodes: (baseUrl: string) => EngineNode[];
}

const credential = 'screenAdvertisingApi';
const ownNode = { type: 'screenAdvertising' } as const;
const httpRequest = {
  name: 'HTTP Request',
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  credentials: { [credential]: { id: credential, name: credential } },
} as const;
const authenticated = {
  authentication: 'predefinedCredentialType',
  nodeCredentialType: credential,
};

/** One item a screen instead of one a page. */
const splitOut = {
  name: 'Split Out',
  type: 'n8n-nodes-base.splitOut',
  parameters: { fieldToSplitOut: 'data' },
} as const;

const ownLookUp = (options: Record<string, number>): Workflow => ({
  nodes: () => [
    {
      ...ownNode,
      parameters: {
        authentication: 'apiKey',
        resource: 'user',
        operation: 'lookUp',
        email: '={{ $json.email }}',
        options,
      },
    },
  ],
});

const httpLookUp = (options: Record<string, unknown>): Workflow => ({
  nodes: (baseUrl) => [
    {
      ...httpRequest,
      parameters: {
        ...authenticated,
        url: `${baseUrl}/users/lookup`,
        sendQuery: true,
        queryParameters: { parameters: [{ name: 'email', value: '={{ $json.email }}' }] },
        options,
      } as EngineNode['parameters'],
    },
  ],
});

export const lookUps: Readonly<Record<string, Workflow>> = {
  'this node': ownLookUp({}),
  'this node, concurrency 500': ownLookUp({ concurrency: 500 }),
  'HTTP Request, all at once': httpLookUp({}),
  'HTTP Request, batching as n8n sets it': httpLookUp({
    batching: { batch: { batchSize: 50, batchInterval: 1000 } },
  }),
};

/** With client credentials, each as it has to be built with that node alone. */
export const tokenLookUps: Readonly<
  Record<string, (sandbox: Sandbox, baseUrl: string) => EngineNode[]>
> = {
  'this node': () => [
    {
      ...ownNode,
      parameters: {
        authentication: 'clientCredentials',
        resource: 'user',
        operation: 'lookUp',
        email: 'lead@x.example',
      },
    },
  ],
  'HTTP Request': ({ accesses: [access] }, baseUrl) => [
    {
      name: 'Token',
      type: httpRequest.type,
      typeVersion: httpRequest.typeVersion,
      parameters: {
        method: 'POST',
        url: `${baseUrl}/oauth/token`,
        sendBody: true,
        specifyBody: 'json',
        jsonBody: JSON.stringify({
          client_id: access.clientId,
          client_secret: access.clientSecret,
        }),
        options: {},
      },
    },
    {
      name: httpRequest.name,
      type: httpRequest.type,
      typeVersion: httpRequest.typeVersion,
      parameters: {
        url: `${baseUrl}/users/lookup?email=lead@x.example`,
        sendHeaders: true,
        headerParameters: {
          parameters: [{ name: 'Authorization', value: '=Bearer {{ $json.access_token }}' }],
        },
        options: {},
      },
    },
  ],
};

export const lists: Readonly<Record<string, Workflow>> = {
  'this node': {
    nodes: () => [
      {
        ...ownNode,
        parameters: {
          authentication: 'apiKey',
          resource: 'screen',
          operation: 'getAll',
          returnAll: true,
        },
      },
    ],
  },
  'HTTP Request, pagination and Split Out': {
    nodes: (baseUrl) => [
      {
        ...httpRequest,
        parameters: {
          ...authenticated,
          url: `${baseUrl}/screens`,
          sendQuery: true,
          queryParameters: { parameters: [{ name: 'limit', value: '200' }] },
          options: {
            pagination: {
              pagination: {
                paginationMode: 'updateAParameterInEachRequest',
                parameters: {
                  parameters: [
                    {
                      type: 'qs',
                      name: 'cursor',
                      value: '={{ $response.body.pagination.cursor }}',
                    },
                  ],
                },
                paginationCompleteWhen: 'other',
                completeExpression: '={{ !$response.body.pagination.has_more }}',
              },
            },
          },
        },
      },
      splitOut,
    ],
  },
};
