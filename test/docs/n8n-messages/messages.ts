import { operations } from '@screen-advertising/core';
import { tasks } from '@screen-advertising/core/availability';
import type { FaultRule } from '@screen-advertising/sandbox';
import type { INodeParameters } from 'n8n-workflow';
import { operationKey } from '../../n8n/operation-keys.ts';
import { operationNames, sampleCall } from '../../n8n/sample-calls.ts';
import { startWorld, type World } from '../../n8n/world.ts';
import { failures } from './failures.ts';
import { refusals } from './refusals.ts';

/** One message that n8n shows, and when. */
export interface Message {
  readonly operation: string;
  readonly when: string;
  readonly title: string;
  readonly description: string;
}

const task = tasks['screen.findAvailable'];

/** Runs every operation into every failure, and records what n8n shows. */
export async function messages(): Promise<Message[]> {
  const shown: Message[] = [];
  for (const name of [...operationNames, task.name]) {
    const { title: operation } = name === task.name ? task : operations[name as never];
    const note = async (when: string, prepare: (world: World) => Promise<INodeParameters>) => {
      shown.push({ operation, when, ...(await failing(prepare)) });
    };
    for (const [when, rule] of Object.entries(failures)) {
      await note(when, async (world) => await struck(world, name, rule));
    }
    for (const [when, prepare] of Object.entries(refusals[name] ?? {})) await note(when, prepare);
  }
  return shown;
}

async function struck(world: World, name: string, rule: FaultRule): Promise<INodeParameters> {
  const parameters =
    name === task.name
      ? findAvailable
      : await sampleCall(world, name as (typeof operationNames)[0]);
  world.sandbox.faults.add(rule);
  return parameters;
}

const { resource, value } = operationKey(task.name);
const findAvailable = {
  authentication: 'apiKey',
  resource,
  operation: value,
  from: '2027-03-01',
  to: '2027-03-31',
};

async function failing(
  prepare: (world: World) => Promise<INodeParameters>,
): Promise<Pick<Message, 'title' | 'description'>> {
  const world = await startWorld({ clock: 'frozen' });
  try {
    const { error } = await world.run(await prepare(world));
    const { host } = new URL(world.baseUrl);
    const plain = (text = '') => text.replaceAll(host, 'service.example');
    return { title: plain(error?.message), description: plain(error?.description ?? '') };
  } finally {
    await world.stop();
  }
}
