import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { createPoller, type Poller } from './engine/poller.ts';
import { startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ clock: 'frozen' });
});
beforeEach(() => world.sandbox.reset());
afterAll(() => world.stop());

const statuses = ['rejected', 'abandoned', 'no_inventory', 'converted'];

let triggers = 0;

function publish(events: string[], parameters: INodeParameters = {}): Poller {
  triggers += 1;
  return createPoller(world.engine, {
    id: `poller-${triggers}`,
    type: 'screenAdvertisingPollingTrigger',
    parameters: { authentication: 'apiKey', events, ...parameters },
  });
}

/** A trigger that has seen the existing campaign requests. */
async function published(events: string[], parameters?: INodeParameters): Promise<Poller> {
  const poller = publish(events, parameters);
  expect(await poller.poll()).toEqual([]);
  return poller;
}

const add = (fields = {}) => world.sandbox.campaignRequests.add(fields);
const ids = (items: INodeExecutionData[]) =>
  items.map(({ json }) => (json.data as { id: string }).id);
const created = 'campaign_request.created';

it.each(['apiKey', 'clientCredentials'])(
  'new campaign requests start the workflow with %s',
  async (authentication) => {
    const poller = await published([created], { authentication });
    const { id } = add({ industry: 'retail' });
    const [item, ...others] = await poller.poll();
    expect(item?.json).toEqual({
      type: created,
      data: expect.objectContaining({ id, industry: 'retail' }),
    });
    expect(others).toEqual([]);
    expect(await poller.poll()).toEqual([]);
  },
);

it.each(statuses)('a campaign request that became %s starts the workflow once', async (status) => {
  const poller = await published(statuses.map((name) => `campaign_request.${name}`));
  const { id } = add();
  expect(await poller.poll()).toEqual([]);
  change(id, status);
  const items = await poller.poll();
  expect(items.map(({ json }) => json.type)).toEqual([`campaign_request.${status}`]);
  expect(ids(items)).toEqual([id]);
  expect(await poller.poll()).toEqual([]);
});

it('more than a page of new requests, all of the same moment, arrives complete', async () => {
  const poller = await published([created]);
  const added = Array.from({ length: 250 }, () => add().id);
  expect(ids(await poller.poll()).sort()).toEqual(added.sort());
  expect(await poller.poll()).toEqual([]);
});

it('a failed poll loses and duplicates nothing', async () => {
  const poller = await published([created]);
  const first = Array.from({ length: 120 }, () => add().id);
  // The second page fails, over every attempt.
  world.sandbox.faults.add({ fault: 'status', status: 503, path: '/campaign-requests', skip: 1 });
  await expect(poller.poll()).rejects.toThrow('The service is not available (503)');
  world.sandbox.faults.clear();
  const second = add().id;
  expect(ids(await poller.poll()).sort()).toEqual([...first, second].sort());
  expect(await poller.poll()).toEqual([]);
});

it('a poll that starts before the previous one has ended does nothing', async () => {
  const poller = await published([created]);
  const { id } = add();
  const [one, other] = await Promise.all([poller.poll(), poller.poll()]);
  expect([...ids(one), ...ids(other)]).toEqual([id]);
});

it('the filter excludes other industries', async () => {
  const poller = await published([created], { filters: { industry: 'fitness' } });
  add({ industry: 'retail' });
  const { id } = add({ industry: 'fitness' });
  expect(ids(await poller.poll())).toEqual([id]);
});

describe('after a pause, or a restart of n8n', () => {
  it('changes during the pause start the workflow, each once', async () => {
    const poller = await published([created]);
    const before = add().id;
    expect(ids(await poller.poll())).toEqual([before]);
    const meanwhile = add().id;
    poller.restart();
    expect(ids(await poller.poll())).toEqual([meanwhile]);
    poller.restart();
    expect(await poller.poll()).toEqual([]);
  });

  it('a campaign request that has started nothing is checked again', async () => {
    const poller = await published(['campaign_request.rejected']);
    const [seen, unseen] = [add().id, add().id];
    expect(await poller.poll()).toEqual([]);
    change(seen, 'rejected');
    poller.restart();
    expect(ids(await poller.poll())).toEqual([seen]);
    change(unseen, 'rejected');
    expect(ids(await poller.poll())).toEqual([unseen]);
  });

  it.each([
    ['is forgotten when it started nothing', ['rejected'], 0],
    ['is remembered when every status is chosen', statuses, 1],
  ])('a status between two equal ones %s', async (_what, chosen, count) => {
    const poller = await published(chosen.map((name) => `campaign_request.${name}`));
    const { id } = add({ status: 'rejected' });
    expect(ids(await poller.poll())).toEqual([id]);
    change(id, 'converted');
    await poller.poll();
    poller.restart();
    change(id, 'rejected');
    expect(await poller.poll()).toHaveLength(count);
  });

  it('a node with another name starts over', async () => {
    let name = 'Trigger';
    const poller = createPoller(world.engine, {
      type: 'screenAdvertisingPollingTrigger',
      parameters: { authentication: 'apiKey', events: [created] },
      get name() {
        return name;
      },
    });
    await poller.poll();
    add();
    name = 'Trigger 2';
    poller.restart();
    expect(await poller.poll()).toEqual([]);
  });
});

describe('while the workflow is being built', () => {
  it('a poll shows an existing request, and remembers nothing', async () => {
    const poller = publish(['campaign_request.converted']);
    const [sample, ...others] = await poller.poll('manual');
    expect(sample?.json).toMatchObject({
      type: 'campaign_request.converted',
      data: { status: 'converted' },
    });
    expect(others).toEqual([]);
    expect(poller.staticData()).toEqual({});
  });

  it('a poll without results says so', async () => {
    const poller = publish([created], { filters: { industry: 'space travel' } });
    await expect(poller.poll('manual')).rejects.toMatchObject({
      message: "There is no campaign request yet that matches 'Trigger On' and the filters",
      description: 'Choose more events, remove the filter, or wait for a campaign request.',
    });
  });
});

it('a refused credential says what to do', async () => {
  const { credentials } = world.engine;
  const right = credentials.screenAdvertisingApi;
  credentials.screenAdvertisingApi = { ...right, apiKey: 'svc_withdrawn' };
  await expect(publish([created]).poll()).rejects.toMatchObject({
    name: 'NodeApiError',
    httpCode: '401',
    message: 'The service did not accept the credential "Screen Advertising account" (401)',
    description: expect.stringMatching(/ Paste its values again in full and /),
  });
  credentials.screenAdvertisingApi = right ?? {};
});

function change(id: string, status: string): void {
  add({ id, status });
}
