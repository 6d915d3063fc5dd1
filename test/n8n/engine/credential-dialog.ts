import type {
  ICredentialDataDecryptedObject,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import type { Engine } from './engine.ts';
import { asDeclared, n8nCore } from './n8n.ts';

/** What the dialog of a credential says: n8n asks the node that names the test. */
export async function testCredential(
  { package: { nodes, credentials } }: Engine,
  type: string,
  data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
  if (credentials.get(type)?.test) throw new Error(`${type} is tested by a request of n8n's own.`);
  for (const { description, methods } of nodes.values()) {
    const testedBy = description.credentials?.find(({ name }) => name === type)?.testedBy;
    if (typeof testedBy !== 'string') continue;
    const context = asDeclared<ICredentialTestFunctions>(new n8nCore.CredentialTestContext());
    const result = await methods?.credentialTest?.[testedBy]?.call(context, {
      id: 'credential-1',
      name: 'Credential',
      type,
      data,
    });
    if (result) return result;
  }
  throw new Error(`No node tests ${type}.`);
}
