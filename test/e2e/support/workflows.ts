import { randomUUID } from 'node:crypto';
import { type EventName, events } from '@screen-advertising/core';
import type { Credential, NewWorkflow } from './n8n-api.ts';

/** A node of the package with one credential. */
export function ownNode(
  name: string,
  node: string,
  credential: Credential | undefined,
  parameters: object,
) {
  if (!credential) throw new Error(`${name} has no credential.`);
  const { id, name: title, type } = credential;
  return {
    ...{ name, parameters },
    type: `n8n-nodes-screen-advertising.${node}`,
    credentials: { [type]: { id, name: title } },
  };
}

/** Starts with events of the service, or of a relay if the credential is of one. */
export function trigger(credential: Credential | undefined, names: readonly EventName[]) {
  const isRelayed = credential?.type === 'screenAdvertisingRelayApi';
  const parameters = { ...(isRelayed && { delivery: 'relay' }), events: names, options: {} };
  const node = ownNode('Event', 'screenAdvertisingTrigger', credential, parameters);
  return { ...node, typeVersion: 1.1, webhookId: randomUUID() };
}

/** Sends the collector the value of `id`, an expression. */
export function collect(collector: string, id = '$json.id') {
  return {
    name: 'Collect',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
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

/** Sends each event to the collector. */
export const collecting = (credential: Credential | undefined, collector: string): NewWorkflow =>
  inLine(
    'Collect events',
    trigger(credential, Object.keys(events) as EventName[]),
    collect(collector),
  );

type Node = Readonly<Record<string, unknown>> & { readonly name: string };

/** The nodes of a workflow, each linked to the next. */
export function inLine(name: string, ...nodes: readonly Node[]) {
  const links = nodes
    .slice(1)
    .map((node, index) => [
      nodes[index]?.name,
      { main: [[{ node: node.name, type: 'main', index: 0 }]] },
    ]);
  return {
    name,
    settings: {},
    nodes: nodes.map((node, index) => ({
      ...{ id: node.name, typeVersion: 1, position: [index * 220, 0] },
      ...node,
    })),
    connections: Object.fromEntries(links) as Record<string, object>,
  };
}

/** n8n polls once a minute at most, by each schedule: these are a poll every ten seconds. */
export const everyTenSeconds = {
  item: [0, 10, 20, 30, 40, 50].map((second) => ({
    mode: 'custom',
    cronExpression: `${second} * * * * *`,
  })),
};
