import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { actionNode, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const nowhere = 'No screens match City "Berln". Check the spelling, or remove a filter.';

/** What n8n shows above the output of the node. */
async function hints(parameters: INodeParameters, items: IDataObject[] = [{}]) {
  const all = { authentication: 'apiKey', resource: 'screen', operation: 'getAll', ...parameters };
  const { run } = await world.run(all, { items });
  const [data] = run.data.resultData.runData[actionNode] ?? [];
  return data?.hints?.map(({ message }) => message) ?? [];
}

it.each<[what: string, parameters: INodeParameters, items: IDataObject[], hint: string]>([
  ['a misspelled filter', { filters: { city: 'Berln ' } }, [{}], nowhere],
  [
    'a period without screens',
    {
      operation: 'findAvailable',
      from: '2027-03-01',
      to: '2027-03-02',
      filters: { city: 'Berln' },
    },
    [{}],
    'No screens match From "2027-03-01", To "2027-03-02", City "Berln". Check the spelling, or remove a filter.',
  ],
  [
    'some of several items',
    { filters: { city: '={{ $json.city }}' }, limit: 1 },
    [{ city: 'Berlin' }, { city: 'Berln' }, { city: 'Berln' }],
    `Input items without a result: 2 of 3. The first: ${nowhere}`,
  ],
  [
    'a list that is empty without a filter',
    { resource: 'campaignRequest' },
    [{}],
    'The service has no campaign requests for this credential.',
  ],
])('an empty result says why it may be empty: %s', async (_what, parameters, items, hint) => {
  const body = JSON.stringify({ data: [], pagination: { has_more: false } });
  const path = '/campaign-requests';
  const rule = world.sandbox.faults.add({ fault: 'status', status: 200, path, body });
  expect(await hints(parameters, items)).toEqual([hint]);
  world.sandbox.faults.remove(rule.id);
});

it('a result says nothing of the kind', async () => {
  expect(await hints({ filters: { city: ' Berlin ' } })).toEqual([]);
});

it('screens that are no longer bookable once they are read are left out, and counted', async () => {
  const path = '/screens/scr_berlin_0001/availability';
  world.sandbox.faults.add({ fault: 'status', status: 404, path });
  const find = { operation: 'findAvailable', from: '2027-03-01', to: '2027-03-02' };
  expect(await hints({ ...find, filters: { city: 'Berlin' } })).toEqual([
    'Screens left out because they can no longer be booked: 1.',
  ]);
});
