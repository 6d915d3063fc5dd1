import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import type { FaultRule } from '@screen-advertising/sandbox';
import type { INodeParameters } from 'n8n-workflow';
import { operationKey } from '../../n8n/operation-keys.ts';
import { operationNames, sampleCall, sampleCode } from '../../n8n/sample-calls.ts';
import { startWorld, type World } from '../../n8n/world.ts';

/** One message that n8n shows, and when. */
export interface Message {
  readonly operation: string;
  readonly when: string;
  readonly title: string;
  readonly description: string;
}

/** The service's text in the table, where its wording varies. */
const detail = '…';

const status = (code: number, headers = {}): FaultRule => ({
  fault: 'status',
  status: code,
  detail,
  headers,
});

const page = (code: number): FaultRule => ({
  fault: 'status',
  status: code,
  body: '<title>Blocked</title>',
  contentType: 'text/html',
});

/** What can go wrong with every operation, in the words that readers would look for. */
export const failures: Readonly<Record<string, FaultRule>> = {
  '400': status(400),
  '401': status(401),
  '403': status(403),
  '404': status(404),
  '409': status(409),
  '422': status(422),
  '429': status(429, { 'retry-after': '60' }),
  '500': status(500),
  '503': status(503),
  'a web page (403)': page(403),
  'a web page (407)': page(407),
  'a web page (422)': page(422),
  'a web page (502)': page(502),
  'response lost': { fault: 'reset', when: 'after' },
  'response unreadable': { fault: 'html-body' },
};

type OperationName = (typeof operationNames)[number];
type Prepare = (world: World) => Promise<INodeParameters>;

const task = compoundOperations['screen.findAvailable'];
const { resource, value } = operationKey(task.name);
const findAvailable = {
  authentication: 'apiKey',
  resource,
  operation: value,
  from: '2027-03-01',
  to: '2027-03-31',
};

const callOf = async (world: World, name: string): Promise<INodeParameters> =>
  name === task.name ? findAvailable : sampleCall(world, name as OperationName);

/** The example of an operation with other values. */
const changed =
  (name: OperationName, changes: INodeParameters): Prepare =>
  async (world) => ({ ...(await callOf(world, name)), ...changes });

const byId = { __rl: true, mode: 'id', value: 'none' };

/** The example of a new coupon, after the coupon of another example. */
const secondCoupon =
  (changes: INodeParameters): Prepare =>
  async (world) => {
    await callOf(world, 'coupon.get');
    return { ...(await callOf(world, 'coupon.create')), ...changes };
  };

/** Requests that the service rejects without a fault rule, by operation. */
const refusals: Readonly<Record<string, Readonly<Record<string, Prepare>>>> = {
  'screen.get': { 'an ID that is not known': changed('screen.get', { screenId: byId }) },
  'screen.availability': {
    'an ID that is not known': changed('screen.availability', { screenId: byId }),
  },
  'campaignRequest.get': {
    'an ID that is not known': changed('campaignRequest.get', { id: byId }),
  },
  'coupon.create': {
    'a code that is taken': secondCoupon({
      lead_email: 'other@example.com',
      additionalFields: { code: sampleCode },
    }),
    'a lead with an active coupon': secondCoupon({ additionalFields: { code: 'ANOTHER' } }),
    'a field that is wrong': changed('coupon.create', {
      discount_type: 'percent',
      discount_value: 101,
    }),
  },
  'coupon.get': { 'a code that is not known': changed('coupon.get', { code: 'NONE' }) },
  'coupon.revoke': {
    'a code that is not known': changed('coupon.revoke', { code: 'NONE' }),
    'a coupon that is over': async (world) => {
      const revoke = await callOf(world, 'coupon.revoke');
      await world.items(revoke);
      return revoke;
    },
  },
};

/** Runs every operation into every failure, and records what n8n shows. */
export async function messages(): Promise<Message[]> {
  const shown: Message[] = [];
  const world = await startWorld({ clock: 'frozen' });
  for (const name of [...operationNames, task.name]) {
    const { title: operation } = name === task.name ? task : operations[name as never];
    const struck = Object.entries(failures).map(([when, rule]): [string, Prepare] => [
      when,
      async () => {
        const parameters = await callOf(world, name);
        world.sandbox.faults.add(rule);
        return parameters;
      },
    ]);
    for (const [when, prepare] of [...struck, ...Object.entries(refusals[name] ?? {})]) {
      shown.push({ operation, when, ...(await failing(world, prepare)) });
    }
  }
  await world.stop();
  return shown;
}

async function failing(
  world: World,
  prepare: Prepare,
): Promise<Pick<Message, 'title' | 'description'>> {
  world.sandbox.reset();
  const { error } = await world.run(await prepare(world));
  // By then an access has all of its retries again.
  await world.sandbox.clock.advance(86_400_000);
  const { host } = new URL(world.baseUrl);
  const plain = (text = '') => text.replaceAll(host, 'service.example');
  return { title: plain(error?.message), description: plain(error?.description ?? '') };
}
