import type { ICredentialTestRequest, INodeType, INodeTypes } from 'n8n-workflow';
import type { Engine } from './engine.ts';
import { n8nCore, n8nWorkflow } from './n8n.ts';

/**
 * Sends what a credential names as its test, as n8n does when somebody saves the credential: in a
 * node that has nothing but this request.
 */
export async function testCredential(engine: Engine, credentialType: string): Promise<unknown> {
  const { test } = engine.package.credentials.get(credentialType) ?? {};
  const type = typeOf((test as ICredentialTestRequest).request, credentialType);
  const workflow = new n8nWorkflow.Workflow({
    nodes: [
      {
        id: 'temp',
        name: 'Temp',
        type: type.description.name,
        typeVersion: 1,
        position: [0, 0],
        parameters: {},
        credentials: { [credentialType]: { id: credentialType, name: credentialType } },
      },
    ],
    connections: {},
    active: false,
    nodeTypes: {
      getByName: () => type,
      getByNameAndVersion: () => type,
      getKnownTypes: () => ({}),
    } satisfies INodeTypes,
  });
  const [node] = Object.values(workflow.nodes);
  if (!node) throw new Error('A workflow needs a node.');
  const context = new n8nCore.ExecuteContext(
    workflow,
    node,
    engine.additionalData('internal', workflow),
    'internal',
    n8nWorkflow.createRunExecutionData(),
    0,
    [],
    { main: [[{ json: {} }]] },
    { node, data: {}, source: null },
    [],
  );
  await workflow.expression.acquireIsolate();
  try {
    return await new n8nCore.RoutingNode(context, type).runNode();
  } finally {
    await workflow.expression.releaseIsolate();
  }
}

function typeOf(request: ICredentialTestRequest['request'], credentialType: string): INodeType {
  return {
    description: {
      displayName: 'Temp',
      name: 'temp',
      group: [],
      version: 1,
      description: '',
      defaults: { name: 'Temp' },
      inputs: ['main'],
      outputs: ['main'],
      credentials: [{ name: credentialType, required: true }],
      properties: [
        { displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' },
      ],
    },
  };
}
