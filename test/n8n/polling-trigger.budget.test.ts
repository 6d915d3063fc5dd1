import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { INodeExecutionData } from 'n8n-workflow';
import { n8nLogger } from './n8n.ts';
import { created, listed, rises, usePolledService } from './polling-bench.ts';

/** As long as with n8n's durable cursors, except for the poll at publishing. */
const service = usePolledService(36_000);
// The pause of an earlier test is over.
beforeEach(() => service.sandbox.clock.advance(300_000));

const anywhere = { screenFilters: {} };

/** The service lets so many requests through, and refuses the next one for some seconds. */
function allow(requests: number, path: string, seconds = 60): void {
  const headers = { 'retry-after': `${seconds}` };
  const refusal = { fault: 'status', status: 429, headers, path } as const;
  service.sandbox.faults.add({ ...refusal, skip: requests, times: 1 });
}

const addRequests = (count: number) => Array.from({ length: count }, () => service.add().id);

const idsOf = (items: INodeExecutionData[]) =>
  items.map(({ json: { data } }) => {
    const { id, screen_id } = data as { id?: string; screen_id?: string };
    return screen_id ?? id;
  });

describe('what a poll has no time for comes with the next one, once', () => {
  it('of the screens', async () => {
    const screens = service.sandbox.screens.list().filter(({ bookable }) => bookable);
    for (const { id } of screens) service.set(0, id);
    const poller = await service.published([rises], anywhere);
    for (const { id } of screens) service.set(25, id);
    allow(25, '/screens/*/availability');
    const first = idsOf(await poller.poll());
    expect(first.length).toBeGreaterThan(20);
    expect(first.length).toBeLessThan(60);
    const second = idsOf(await poller.poll());
    expect([...first, ...second].sort()).toEqual(screens.map(({ id }) => id).sort());
    expect(await poller.poll()).toEqual([]);
  });

  it('of the campaign requests', async () => {
    const poller = await service.published([created]);
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
    const poller = await service.published([created]);
    const added = addRequests(250);
    allow(2, '/campaign-requests');
    const first = idsOf(await poller.poll());
    await service.sandbox.clock.advance(60_000);
    const path = '/campaign-requests';
    service.sandbox.faults.add({ fault: 'status', status: 400, path, times: 1 });
    const second = idsOf(await poller.poll());
    expect([...first, ...second].sort()).toEqual(added.sort());
    expect(await poller.poll()).toEqual([]);
  });

  it('of both, though one of them could use up all the time', async () => {
    const poller = await service.published([created, listed], anywhere);
    addRequests(250);
    const { id } = service.sandbox.screens.add({ id: 'scr_new' });
    allow(2, '/campaign-requests');
    expect(idsOf(await poller.poll())).not.toContain(id);
    expect(idsOf(await poller.poll())).toContain(id);
  });
});

it('a poll that has no time for one kind of event gives the other, and logs that the next one continues', async () => {
  const warn = jest.spyOn(n8nLogger, 'warn').mockReturnValue();
  const poller = await service.published([created, listed], anywhere);
  const [request] = addRequests(1);
  const { id } = service.sandbox.screens.add({ id: 'scr_new' });
  // Each kind has 18 s.
  allow(0, '/campaign-requests', 20);
  expect(idsOf(await poller.poll())).toEqual([id]);
  expect(warn.mock.calls).toMatchObject([
    [
      '"Screen Advertising Polling Trigger" of the workflow "Workflow": the poll had no time for everything. The next one continues.',
    ],
  ]);
  expect(idsOf(await poller.poll())).toEqual([request]);
});

it('a poll that has no time for anything says so, and the next one misses nothing', async () => {
  const poller = await service.published([created]);
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
  [listed, () => service.sandbox.screens.add({ id: 'scr_new' }).id],
])('%s between publishing and the first poll starts the workflow', async (event, happens) => {
  const poller = await service.published([event], anywhere);
  const id = happens();
  expect(idsOf(await poller.poll())).toEqual([id]);
});
