import type {
  ICredentialDataDecryptedObject,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import type { Engine } from './engine.ts';
import { asDeclared, n8nCore } from './n8n.ts';

/** What the dialog of a credential says: n8n asks the node that names the test. */
export async function testCredential(
  engine: Engine,
  type: string,
  stored: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
  const { nodes, credentials } = engine.package;
  const data = engine.additionalData('internal', engine.workflow([]));
  const context = asDeclared<ICredentialTestFunctions>(new n8nCore.CredentialTestContext(data));
  if (credentials.get(type)?.test) throw new Error(`${type} is tested by a request of n8n's own.`);
  for (const { description, methods } of nodes.values()) {
    const testedBy = description.credentials?.find(({ name }) => name === type)?.testedBy;
    if (typeof testedBy !== 'string') continue;
    const result = await methods?.credentialTest?.[testedBy]?.call(context, {
      id: 'credential-1',
      name: 'Credential',
      type,
      data: stored,
    });
    if (result) return result;
  }
  throw new Error(`No node tests ${type}.`);
}
