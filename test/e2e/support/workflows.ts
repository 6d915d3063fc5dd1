import { randomUUID } from 'node:crypto';
import { type EventName, events } from '@screen-advertising/core';
import type { Credential, Credentials, NewWorkflow } from './n8n-api.ts';

const type = (name: string) => `n8n-nodes-screen-advertising.${name}`;

function credential(credentials: Credentials, name: string) {
  const found = credentials[name];
  if (!found) throw new Error(`There is no credential ${name}.`);
  return { credentials: { [name]: { id: found.id, name: found.name } } };
}

function trigger(credentials: Credentials, names: readonly EventName[]) {
  return {
    id: 'trigger',
    name: 'Event',
    type: type('screenAdvertisingTrigger'),
    typeVersion: 1.1,
    position: [0, 0],
    webhookId: randomUUID(),
    parameters: { events: names, options: {} },
    ...credential(credentials, 'screenAdvertisingWebhookApi'),
  };
}

const then = (node: string) => ({
  Event: { main: [[{ node, type: 'main', index: 0 }]] },
});

/** Sends each event to the collector. */
export function collecting(credentials: Credentials, collector: string): NewWorkflow {
  return {
    name: 'Collect events',
    settings: {},
    nodes: [trigger(credentials, Object.keys(events) as EventName[]), collect(collector)],
    connections: then('Collect'),
  };
}

/** Sends the collector the value of `id`, an expression. */
export function collect(collector: string, id = '$json.id') {
  return {
    id: 'collect',
    name: 'Collect',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [220, 0],
    parameters: {
      method: 'POST',
      url: collector,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: `={{ JSON.stringify({ id: ${id}, execution: $execution.id }) }}`,
      options: {},
    },
  };
}

/** The nodes of a workflow, each linked to the next. */
export function inLine(name: string, ...nodes: readonly Readonly<Record<string, unknown>>[]) {
  const names = nodes.map((node) => String(node.name));
  const links = names
    .slice(1)
    .map((node, index) => [names[index], { main: [[{ node, type: 'main', index: 0 }]] }]);
  return {
    name,
    settings: {},
    nodes: nodes.map((node, index) => ({
      id: String(node.name),
      typeVersion: 1,
      position: [index * 220, 0],
      ...node,
    })),
    connections: Object.fromEntries(links),
  };
}

/** n8n polls once a minute at most, by each schedule: these are a poll every ten seconds. */
export const everyTenSeconds = {
  item: [0, 10, 20, 30, 40, 50].map((second) => ({
    mode: 'custom',
    cronExpression: `${second} * * * * *`,
  })),
};

/** A node of the package with one credential. */
export function ownNode(
  name: string,
  node: string,
  { id, name: credential, type: credentialType }: Credential,
  parameters: object,
) {
  return {
    name,
    type: type(node),
    parameters,
    credentials: { [credentialType]: { id, name: credential } },
  };
}

interface Instant {
  readonly name: string;
  readonly events: readonly EventName[];
  readonly credential: Credential;
  /** Receives each event with the workflow that it started. */
  readonly collector: string;
}

/** A workflow that starts with events through the relay. */
export function instantWorkflow({ name, events, credential, collector }: Instant): NewWorkflow {
  return {
    name,
    settings: {},
    nodes: [
      {
        id: randomUUID(),
        name: 'Event',
        type: 'n8n-nodes-screen-advertising.screenAdvertisingTrigger',
        typeVersion: 1.1,
        position: [0, 0],
        webhookId: randomUUID(),
        parameters: { delivery: 'relay', events, options: {} },
        credentials: { [credential.type]: { id: credential.id, name: credential.name } },
      },
      collect(collector, '$json.id + " " + $workflow.id'),
    ],
    connections: { Event: { main: [[{ node: 'Collect', type: 'main', index: 0 }]] } },
  };
}
