import { randomUUID } from 'node:crypto';
import type { EventName } from '@screen-advertising/core';
import type { Credential, NewWorkflow } from '../support/n8n-api.ts';
import { collect } from '../support/workflows.ts';

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
