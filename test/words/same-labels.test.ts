import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INodeProperties } from 'n8n-workflow';
import { loadPackage } from '../n8n/n8n.ts';
import { formLabels } from '../support/catalogue-names.ts';
import { definitionOf, inputFieldsOf, partsOf } from '../zapier/app/definition.ts';

/** A field as people see it. */
interface OfferedField {
  readonly name: string;
  readonly label: string;
}

/** The fields of the action node, the polling trigger (with collections), and the credentials. */
async function offeredByN8n(): Promise<OfferedField[]> {
  const { nodes, credentials } = await loadPackage();
  const properties = [
    ...(nodes.get('screenAdvertising')?.description.properties ?? []),
    ...(nodes.get('screenAdvertisingPollingTrigger')?.description.properties ?? []),
    ...[...credentials.values()].flatMap((credential) => credential.properties),
  ];
  return properties
    .flatMap((property) => [property, ...inside(property)])
    .map(({ name, displayName }) => ({ name, label: displayName }));
}

function inside({ type, options = [] }: INodeProperties): INodeProperties[] {
  return type === 'collection' ? (options as INodeProperties[]) : [];
}

/** The fields of all steps, and of the connection. */
async function offeredByZapier(): Promise<OfferedField[]> {
  const definition = await definitionOf('private');
  const fields = partsOf(definition).flatMap(inputFieldsOf);
  const asked: readonly { key: string; label?: string }[] = [
    ...fields,
    ...definition.authentication.fields,
  ];
  // Its keys are in snake case, also that of the field for a screen.
  const nameOf = (key: string) => key.replace('screen_id', 'screenId');
  return asked.map(({ key, label = '' }) => ({ name: nameOf(key), label }));
}

/** Fields that a platform offers in another form. */
const askedElsewhere: Readonly<Record<string, readonly string[]>> = {
  // The polling trigger's Events field has an entry for each direction.
  n8n: ['change'],
};

const fields = Object.values(formLabels).flatMap((labels) =>
  Object.entries<string>(labels).map(([name, title]) => ({ name, title })),
);
const names = [...new Set(fields.map(({ name }) => name))].filter(
  (name) => name !== 'cursor' && name !== 'limit',
);

let offered: Readonly<Record<string, readonly OfferedField[]>>;

beforeAll(async () => {
  offered = { n8n: await offeredByN8n(), Zapier: await offeredByZapier() };
});

describe.each(['n8n', 'Zapier'])('%s uses the words of the catalogue', (platform) => {
  const asked = names.filter((name) => !askedElsewhere[platform]?.includes(name));

  it.each(asked)('in the label of %s', (name) => {
    const named = offered[platform]?.filter((field) => field.name === name) ?? [];
    const titles = fields.filter((field) => field.name === name).map(({ title }) => title);
    expect(named.length).toBeGreaterThan(0);
    // Zapier shows no help next to a value, so its labels name the unit.
    for (const { label } of named)
      expect(titles).toContain(label.replace(/ in (Cents|Percent|Currency Units)$/, ''));
  });
});

it.each([
  'Base URL',
  'API Key',
  'Client ID',
  'Client Secret',
  'Signing Secret',
  'Previous Signing Secret',
])('both ask for the %s under this name', (label) => {
  const labels = Object.values(offered).map((fields) => fields.map((field) => field.label));
  expect(labels).toHaveLength(2);
  for (const ofPlatform of labels) expect(ofPlatform).toContain(label);
});
