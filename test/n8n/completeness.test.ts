import { beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { type Task, tasks } from '@screen-advertising/core/availability';
import { formFields } from '@screen-advertising/core/forms';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { loadPackage } from './engine/load-package.ts';
import { n8nWorkflow } from './engine/n8n.ts';
import { operationKey } from './operation-keys.ts';

const { NodeHelpers } = n8nWorkflow;

let action: INodeTypeDescription;
let trigger: INodeTypeDescription;
let polling: INodeTypeDescription;

beforeAll(async () => {
  const { nodes } = await loadPackage();
  const described = (name: string) => {
    const node = nodes.get(name);
    if (!node) throw new Error(`The package has no node ${name}.`);
    return node.description;
  };
  action = described('screenAdvertising');
  trigger = described('screenAdvertisingTrigger');
  polling = described('screenAdvertisingPollingTrigger');
});

const availabilityChanged = tasks['screen.availabilityChanged'];
const all: readonly Task[] = [...Object.values(operations), tasks['screen.findAvailable']];
const catalogue = all.map((operation) => [operation.name, operation] as const);

describe('the action node offers the whole catalogue', () => {
  it.each(catalogue)('%s', (_name, operation) => {
    const { resource, value } = operationKey(operation.name);
    const offered = optionsOf(
      action.properties.find(
        ({ name, displayOptions }) =>
          name === 'operation' && displayOptions?.show?.resource?.includes(resource),
      ),
    );
    expect(offered).toContain(value);
  });

  it('and nothing else', () => {
    const offered = action.properties.filter(({ name }) => name === 'operation').flatMap(optionsOf);
    expect(offered).toHaveLength(all.length);
  });
});

// n8n's editor hides every field that decides on credentials, and sets one of them by the
// credential.
it('in each node, one field decides which credential it takes, and each choice has its own', () => {
  for (const { name, credentials = [], properties } of [action, trigger, polling]) {
    const conditions = credentials.map(({ displayOptions }) => displayOptions?.show ?? {});
    const deciding = new Set(conditions.flatMap((condition) => Object.keys(condition)));
    expect([name, ...deciding]).toHaveLength(2);
    const [field = ''] = deciding;
    const choices = properties.filter((property) => property.name === field).flatMap(optionsOf);
    const credited = conditions.flatMap((condition) => condition[field] ?? []);
    expect(new Set(credited)).toEqual(new Set(choices));
  }
});

it('each entry of the node panel adds a trigger that starts on what the entry says', () => {
  for (const { properties, ...described } of [trigger, polling]) {
    // n8n's panel takes the first property with this label.
    const shown = properties.find(({ displayName }) => displayName === 'Trigger On');
    const entries = optionsOf(shown) as string[];
    // With two properties of this name, n8n's editor keeps the default instead of the entry.
    expect(properties.filter(({ name }) => name === shown?.name)).toHaveLength(1);
    expect(entries.length).toBeGreaterThan(4);
    for (const entry of entries) {
      const node = { parameters: { events: [entry] }, typeVersion: 1 } as never;
      const added = NodeHelpers.getNodeParameters(
        properties,
        { events: [entry] },
        true,
        false,
        node,
        { ...described, properties },
      );
      expect(added?.events).toEqual([entry]);
    }
  }
});

it('a change of credential or events empties no list and no collection of a trigger', () => {
  // n8n's editor does so if their conditions name the changed field without a leading slash.
  const dependent = [polling, trigger].flatMap(({ properties }) =>
    properties
      .filter(({ options }) => options)
      .flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {})),
  );
  expect(dependent.filter((name) => !name.startsWith('/'))).toEqual([]);
});

describe('the polling trigger offers the availability of screens', () => {
  const [change, ...fieldsOfScreens] = formFields(availabilityChanged);
  const shownForScreens = (name: string) =>
    withEntries(
      polling.properties.filter(({ displayOptions }) =>
        displayOptions?.show?.['/events']?.includes(`screen.availability_${name}`),
      ),
    );

  it.each(['rises_above', 'falls_below'])('that %s a share, with every field', (name) => {
    expect(valuesOf(change)).toContain(name);
    expect(optionsOf(polling.properties.find((property) => property.name === 'events'))).toContain(
      `screen.availability_${name}`,
    );
    const shown = shownForScreens(name).map((property) => [property.name, property.displayName]);
    expect(shown).toEqual(
      expect.arrayContaining(fieldsOfScreens.map((field) => [field.name, field.title])),
    );
  });
});

function withEntries(properties: readonly INodeProperties[]): INodeProperties[] {
  return properties.flatMap((property) =>
    property.type === 'collection'
      ? [property, ...((property.options ?? []) as INodeProperties[])]
      : [property],
  );
}

function optionsOf(property: INodeProperties | undefined): unknown[] {
  return ((property?.options ?? []) as INodePropertyOptions[]).map(({ value }) => value);
}

function valuesOf(field: { choices?: readonly { value: string }[] } | undefined): string[] {
  return field?.choices?.map(({ value }) => value) ?? [];
}
