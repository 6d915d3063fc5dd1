import { expect, it } from '@jest/globals';
import { created, ids, statuses, usePolledService } from './polling-bench.ts';

const service = usePolledService();

it.each(['apiKey', 'clientCredentials'])(
  'new campaign requests start the workflow with %s',
  async (authentication) => {
    const poller = await service.published([created], { authentication });
    const { id } = service.add({ industry: 'retail' });
    const [item, ...others] = await poller.poll();
    expect(item?.json).toEqual({
      type: created,
      data: expect.objectContaining({ id, industry: 'retail' }),
    });
    expect(others).toEqual([]);
    expect(await poller.poll()).toEqual([]);
  },
);

it('a campaign request whose status changes starts the workflow once, with each status', async () => {
  const types = statuses.map((name) => `campaign_request.${name}`);
  const poller = await service.published(types);
  const added = statuses.map(() => service.add().id);
  expect(await poller.poll()).toEqual([]);
  for (const [nth, status] of statuses.entries()) service.add({ id: added[nth] ?? '', status });
  const items = await poller.poll();
  expect(items.map(({ json }) => json.type).sort()).toEqual(types.toSorted());
  expect(ids(items).sort()).toEqual(added.toSorted());
  expect(await poller.poll()).toEqual([]);
});

it('more than a page of new requests, all of the same moment, arrives complete', async () => {
  const poller = await service.published([created]);
  const added = Array.from({ length: 250 }, () => service.add().id);
  expect(ids(await poller.poll()).sort()).toEqual(added.sort());
  expect(await poller.poll()).toEqual([]);
});

it('the filter excludes other industries', async () => {
  const poller = await service.published([created], { filters: { industry: 'fitness' } });
  service.add({ industry: 'retail' });
  const { id } = service.add({ industry: 'fitness' });
  expect(ids(await poller.poll())).toEqual([id]);
});

it('a list of 150,000 campaign requests in one page is read, poll after poll', async () => {
  const data = Array.from({ length: 150_000 }, (_, nth) => ({ id: `cr${nth}` }));
  const list = (records: object[]) => {
    service.sandbox.faults.clear();
    const body = JSON.stringify({ data: records });
    service.sandbox.faults.add({
      fault: 'status',
      status: 200,
      path: '/campaign-requests',
      body,
    });
  };
  list(data);
  const poller = await service.published([created]);
  list([...data, { id: 'cr_new' }]);
  expect(ids(await poller.poll())).toEqual(['cr_new']);
});
