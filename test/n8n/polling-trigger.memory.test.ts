import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { createPoller } from './poller.ts';
import {
  changesIn,
  created,
  falls,
  ids,
  rises,
  screenId,
  statuses,
  usePolledService,
} from './polling-bench.ts';

const service = usePolledService();

it.each(['apiKey', 'clientCredentials'])(
  'a credential (%s) that is edited to lead to another address starts over',
  async (authentication) => {
    const stored = service.engine.credentials;
    const before = { ...stored };
    const poller = await service.published([created], { authentication });
    service.add();
    for (const [type, data] of Object.entries(stored)) {
      stored[type] = { ...data, baseUrl: `${service.baseUrl}/` };
    }
    expect(await poller.poll()).toEqual([]);
    const { id } = service.add();
    expect(ids(await poller.poll())).toEqual([id]);
    Object.assign(stored, before);
  },
);

describe('after a restart of n8n', () => {
  it('a campaign request that has started nothing is checked again', async () => {
    const poller = await service.published(['campaign_request.rejected']);
    const [seen, unseen] = [service.add().id, service.add().id];
    expect(await poller.poll()).toEqual([]);
    service.add({ id: seen, status: 'rejected' });
    poller.restart();
    expect(ids(await poller.poll())).toEqual([seen]);
    service.add({ id: unseen, status: 'rejected' });
    expect(ids(await poller.poll())).toEqual([unseen]);
  });

  it.each([
    ['is forgotten when it started nothing', ['rejected'], 0],
    ['is remembered when every status is chosen', statuses, 1],
  ])('a status between two equal ones %s', async (_what, chosen, count) => {
    const poller = await service.published(chosen.map((name) => `campaign_request.${name}`));
    const { id } = service.add({ status: 'rejected' });
    expect(ids(await poller.poll())).toEqual([id]);
    service.add({ id, status: 'converted' });
    await poller.poll();
    poller.restart();
    service.add({ id, status: 'rejected' });
    expect(await poller.poll()).toHaveLength(count);
  });

  it.each([
    ['20,000 records are remembered, also those that are gone', 0, []],
    ['those that are gone are forgotten above that', 1, ['cr_gone']],
  ])('%s', async (_what, above, expected) => {
    const node = service.publish([created]);
    await node.poll();
    service.add({ id: 'cr_gone' });
    expect(ids(await node.poll())).toEqual(['cr_gone']);
    service.sandbox.reset();
    const stored = JSON.stringify(node.staticData());
    const [, known = ''] = /"seen":\{(.*?)\}/.exec(stored) ?? [];
    const length = 20_000 + above - known.split(',').length;
    const others = Array.from({ length }, (_, nth) => `"cr_other${nth}":""`);
    node.store(JSON.parse(stored.replace(known, [known, ...others].join())));
    node.restart();
    expect(await node.poll()).toEqual([]);
    service.add({ id: 'cr_gone' });
    expect(ids(await node.poll())).toEqual(expected);
  });

  it('a node with another name starts over', async () => {
    let name = 'Trigger';
    const poller = createPoller(service.engine, {
      type: 'screenAdvertisingPollingTrigger',
      parameters: { authentication: 'apiKey', events: [created] },
      get name() {
        return name;
      },
    });
    await poller.poll();
    service.add();
    name = 'Trigger 2';
    poller.restart();
    expect(await poller.poll()).toEqual([]);
  });
});

it('another period resets the trigger, another threshold does not', async () => {
  const parameters: INodeParameters = {};
  const poller = await service.published([rises], parameters);
  Object.assign(parameters, { to: '2027-03-30' });
  poller.restart();
  service.set(25);
  expect(await poller.poll()).toEqual([]);
  Object.assign(parameters, { share_pct: 40 });
  poller.restart();
  service.set(50);
  expect(changesIn(await poller.poll())).toEqual([`${rises} ${screenId}`]);
});

it.each([
  ['is forgotten when it started nothing', [rises], [[], []]],
  [
    'is remembered when both directions are chosen',
    [rises, falls],
    [[`${falls} ${screenId}`], [`${rises} ${screenId}`]],
  ],
])('an earlier crossing %s', async (_what, events, expected) => {
  const poller = await service.published(events);
  service.set(25);
  expect(changesIn(await poller.poll())).toEqual([`${rises} ${screenId}`]);
  service.set(5);
  const fell = await poller.poll();
  poller.restart();
  service.set(25);
  expect([changesIn(fell), changesIn(await poller.poll())]).toEqual(expected);
});
