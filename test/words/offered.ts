import type { INodeProperties } from 'n8n-workflow';
import { loadPackage } from '../n8n/engine/load-package.ts';
import { definitionOf } from '../zapier/app/definition.ts';

/** A field as people see it. */
export interface OfferedField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
}

/** The fields of the action node, the polling trigger (with collections), and the credentials. */
export async function offeredByN8n(): Promise<OfferedField[]> {
  const { nodes, credentials } = await loadPackage();
  const properties = [
    ...(nodes.get('screenAdvertising')?.description.properties ?? []),
    ...(nodes.get('screenAdvertisingPollingTrigger')?.description.properties ?? []),
    ...[...credentials.values()].flatMap((credential) => credential.properties),
  ];
  return properties
    .flatMap((property) => [property, ...inside(property)])
    .map(({ name, displayName, description = '' }) => ({
      name,
      label: displayName,
      help: description,
    }));
}

function inside({ type, options = [] }: INodeProperties): INodeProperties[] {
  return type === 'collection' ? (options as INodeProperties[]) : [];
}

/** The fields of all steps, and of the connection. */
export async function offeredByZapier(): Promise<OfferedField[]> {
  const { triggers, searches, creates, authentication } = await definitionOf('private');
  const steps = [triggers, searches, creates].flatMap((kind) => Object.values(kind));
  const fields = steps
    .flatMap(({ operation }) => operation.inputFields ?? [])
    .filter((field) => typeof field !== 'string');
  const asked: readonly { key: string; label?: string; helpText?: string }[] = [
    ...fields,
    ...authentication.fields,
  ];
  return asked.map(({ key, label = '', helpText = '' }) => ({ name: key, label, help: helpText }));
}
