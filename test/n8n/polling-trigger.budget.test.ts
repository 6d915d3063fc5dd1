import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { n8nLogger } from './n8n.ts';
import { createPoller } from './poller.ts';
import { startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ clock: 'frozen', screens: 60 });
});
beforeEach(async () => {
  world.sandbox.reset();
  // The pause of an earlier test is over.
  await world.sandbox.clock.advance(300_000);
});
afterAll(() => world.stop());

const created = 'campaign_request.created';
const listed = 'screen.listed';
const rises = 'screen.availability_rises_above';

let triggers = 0;

/** A trigger whose polls have as long as with n8n's durable cursors, except the one at publishing. */
async function published(events: string[], parameters: INodeParameters = {}) {
  triggers += 1;
  const settings = { share_pct: 10, from: '2027-03-01', to: '2027-03-31', screenFilters: {} };
  const poller = createPoller(
    world.engine,
    {
      id: `poller-${triggers}`,
      type: 'screenAdvertisingPollingTrigger',
      parameters: { authentication: 'apiKey', events, ...settings, ...parameters },
    },
    { budgetMs: 36_000 },
  );
  expect(await poller.poll()).toEqual([]);
  return poller;
}

/** The service lets so many requests through, and refuses the others for some seconds. */
function allow(requests: number, path: string, seconds = 60): void {
  const headers = { 'retry-after': `${seconds}` };
  world.sandbox.faults.add({
    fault: 'status',
    status: 429,
    headers,
    path,
    skip: requests,
    times: 1,
  });
}

const addRequests = (count: number) =>
  Array.from({ length: count }, () => world.sandbox.campaignRequests.add().id);

const idsOf = (items: INodeExecutionData[]) =>
  items.map(({ json: { data } }) => {
    const { id, screen_id } = data as { id?: string; screen_id?: string };
    return screen_id ?? id;
  });

describe('what a poll has no time for comes with the next one, once', () => {
  it('of the screens', async () => {
    const screens = world.sandbox.screens.list().filter(({ bookable }) => bookable);
    for (const { id } of screens) set(id, 0);
    const poller = await published([rises]);
    for (const { id } of screens) set(id, 25);
    allow(25, '/screens/*/availability');
    const first = idsOf(await poller.poll());
    expect(first.length).toBeGreaterThan(20);
    expect(first.length).toBeLessThan(60);
    const second = idsOf(await poller.poll());
    expect([...first, ...second].sort()).toEqual(screens.map(({ id }) => id).sort());
    expect(await poller.poll()).toEqual([]);
  });

  it('of the campaign requests', async () => {
    const poller = await published([created]);
    const added = addRequests(250);
    allow(2, '/campaign-requests');
    const first = idsOf(await poller.poll());
    expect(first.length).toBeGreaterThanOrEqual(50);
    expect(first.length).toBeLessThan(250);
    const second = idsOf(await poller.poll());
    expect([...first, ...second].sort()).toEqual(added.sort());
    expect(await poller.poll()).toEqual([]);
  });

  it('of a list whose cursor no longer works: it starts over', async () => {
    const poller = await published([created]);
    const added = addRequests(250);
    allow(2, '/campaign-requests');
    const first = idsOf(await poller.poll());
    await world.sandbox.clock.advance(60_000);
    const path = '/campaign-requests';
    world.sandbox.faults.add({ fault: 'status', status: 400, path, times: 1 });
    const second = idsOf(await poller.poll());
    expect([...first, ...second].sort()).toEqual(added.sort());
    expect(await poller.poll()).toEqual([]);
  });

  it('of both, though one of them could use up all the time', async () => {
    const poller = await published([created, listed]);
    addRequests(250);
    const { id } = world.sandbox.screens.add({ id: 'scr_new' });
    allow(2, '/campaign-requests');
    expect(idsOf(await poller.poll())).not.toContain(id);
    expect(idsOf(await poller.poll())).toContain(id);
  });
});

it('a poll that has no time for one kind of event gives the other, and logs that the next one continues', async () => {
  const warn = jest.spyOn(n8nLogger, 'warn').mockReturnValue();
  const poller = await published([created, listed]);
  const [request] = addRequests(1);
  const { id } = world.sandbox.screens.add({ id: 'scr_new' });
  // Each kind has 18 s.
  allow(0, '/campaign-requests', 20);
  expect(idsOf(await poller.poll())).toEqual([id]);
  expect(warn.mock.calls).toMatchObject([
    [
      '"Screen Advertising Polling Trigger" of the workflow "Workflow": the poll had no time for everything. The next one continues.',
    ],
  ]);
  warn.mockRestore();
  expect(idsOf(await poller.poll())).toEqual([request]);
});

it('a poll that has no time for anything says so, and the next one misses nothing', async () => {
  const poller = await published([created]);
  const [id] = addRequests(1);
  allow(0, '/campaign-requests');
  await expect(poller.poll()).rejects.toMatchObject({
    message: 'The poll found no time to read anything: n8n gives it 36 s',
    description:
      'The next poll retries, and misses nothing. If it keeps failing, let other workflows with this credential run less often: they share its rate limit.',
  });
  expect(idsOf(await poller.poll())).toEqual([id]);
});

it.each([
  [created, () => addRequests(1)[0]],
  [listed, () => world.sandbox.screens.add({ id: 'scr_new' }).id],
])('%s between publishing and the first poll starts the workflow', async (event, happens) => {
  const poller = await published([event]);
  const id = happens();
  expect(idsOf(await poller.poll())).toEqual([id]);
});

function set(id: string, available: number): void {
  world.sandbox.screens.add({ id, ad_sov_pct: 100, used_sov_pct: 100 - available });
}
