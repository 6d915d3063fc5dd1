import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INode } from 'n8n-workflow';
import { packageName } from './engine/load-package.ts';
import { startType } from './engine/node-types.ts';
import { startWorld, type World } from './world.ts';

const folder = path.join(__dirname, `../../packages/${packageName}/examples`);

interface Example {
  readonly nodes: INode[];
}

function read(file: string): INode[] {
  return (JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Example).nodes;
}

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.sandbox.reset());
afterAll(() => world.stop());

/** Runs an example whose first node has fired with this item. */
async function fire(file: string, item: IDataObject) {
  const [first, ...rest] = read(file);
  if (!first) throw new Error('The example has no node.');
  // The engine takes each type by its own name, and its own credentials.
  const nodes = rest.map(({ credentials: _, ...node }) => ({
    ...node,
    type: node.type.replace(`${packageName}.`, ''),
  }));
  const result = await world.engine.runWorkflow(
    [{ name: first.name, type: startType, parameters: {} }, ...nodes],
    { items: [item] },
  );
  if (result.error) throw result.error;
  return result.output(rest.at(-1)?.name ?? '').map(({ json }) => json);
}

it('a coupon and a landing link for a rejected campaign request', async () => {
  const event = {
    type: 'campaign_request.rejected',
    data: { id: 'cr_1', email: 'lead@example.com' },
  };
  const [link] = await fire('coupon-for-rejected-requests.json', event);
  const [coupon] = world.sandbox.coupons.list();
  expect(coupon).toMatchObject({
    lead_email: 'lead@example.com',
    lead_metadata: { campaign_request: 'cr_1' },
  });
  expect(String(link?.url)).toContain(`utm_content=${coupon?.code}`);
});

it('what is free on the screens of a city', async () => {
  const answers = await fire('free-screens-in-a-city.json', {});
  expect(answers.length).toBeGreaterThan(1);
  expect(answers[0]).toMatchObject({ available_sov_pct: expect.any(Number) });
});

it('converted campaign requests, read whole', async () => {
  const [converted] = world.sandbox.campaignRequests
    .list()
    .filter(({ status }) => status === 'converted');
  const item = { type: 'campaign_request.converted', data: { id: converted?.id ?? '' } };
  const [record] = await fire('converted-requests-by-polling.json', item);
  expect(record).toMatchObject({ id: converted?.id, status: 'converted' });
});

describe('every example', () => {
  it.each(readdirSync(folder))('%s holds no credential and only fields that are there', (file) => {
    for (const node of read(file)) {
      const described = world.engine.package.nodes.get(node.type.replace(`${packageName}.`, ''));
      if (!described) {
        expect(node.type).toBe('n8n-nodes-base.manualTrigger');
        continue;
      }
      const known = described.description.properties.map(({ name }) => name);
      expect([...known, 'pollTimes']).toEqual(expect.arrayContaining(Object.keys(node.parameters)));
      expect(Object.values(node.credentials ?? {}).map(({ id }) => id)).toEqual(['']);
    }
  });
});
