import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { eventually } from '../support/eventually.ts';
import { n8nClock, n8nLogger } from './n8n.ts';
import type { Poller } from './poller.ts';
import {
  changesIn,
  created,
  ids,
  listed,
  rises,
  screenId,
  usePolledService,
} from './polling-bench.ts';

const service = usePolledService();

const minutes = (count: number) => service.sandbox.clock.advance(count * 60_000);
const addMany = (count: number) => Array.from({ length: count }, () => service.add().id);
const schedule = (item: object): INodeParameters => ({ pollTimes: { item: [item] } }) as never;
const everyMinute = schedule({ mode: 'everyMinute' });
const missed = { options: { catchUp: true } };

let warn: jest.SpiedFunction<typeof n8nLogger.warn>;
beforeEach(() => {
  warn = jest.spyOn(n8nLogger, 'warn').mockReturnValue();
});

const logged = () => warn.mock.calls.map(([message]) => message);

const named = '"Screen Advertising Polling Trigger" of the workflow "Workflow"';

describe('a workflow that is published again', () => {
  it('after nine minutes continues with what it missed', async () => {
    const poller = await service.published([created], everyMinute);
    await minutes(600);
    expect(await poller.poll()).toEqual([]);
    poller.unpublish();
    const added = addMany(40);
    await minutes(9);
    expect(ids(await poller.poll()).sort()).toEqual(added.sort());
    expect(logged()).toEqual([]);
  });

  it('after twelve minutes starts with nothing, says what that leaves out, and continues', async () => {
    const poller = await service.published([created], everyMinute);
    const since = new Date(service.sandbox.clock.now()).toISOString();
    poller.unpublish();
    addMany(40);
    await minutes(12);
    expect(await poller.poll()).toEqual([]);
    expect(logged()).toEqual([
      `${named} was unpublished for more than ten minutes. Changes since ${since} that do not start it: 40. With 'Include Missed Events', publishing starts it with them.`,
    ]);
    const { id } = service.add();
    expect(ids(await poller.poll())).toEqual([id]);
  });

  it('with Include Missed Events starts with all of it', async () => {
    const parameters = { ...everyMinute };
    const poller = await service.published([created], parameters);
    poller.unpublish();
    const added = addMany(40);
    await minutes(3 * 24 * 60);
    Object.assign(parameters, missed);
    expect(ids(await poller.poll()).sort()).toEqual(added.sort());
    expect(logged()).toEqual([]);
  });

  it('with Include Missed Events later starts once with what earlier publications left out', async () => {
    const parameters = { ...everyMinute };
    const poller = await service.published([created], parameters);
    const left: string[] = [];
    for (const count of [40, 3]) {
      poller.unpublish();
      left.push(...addMany(count));
      await minutes(12);
      expect(await poller.poll()).toEqual([]);
      const { id } = service.add();
      expect(ids(await poller.poll())).toEqual([id]);
    }
    await service.engine.restart();
    Object.assign(parameters, missed);
    poller.update();
    expect(ids(await poller.poll()).sort()).toEqual(left.sort());
    expect(await poller.poll()).toEqual([]);
    poller.unpublish();
    const [next] = addMany(1);
    await minutes(12);
    expect(ids(await poller.poll())).toEqual([next]);
  });

  it('with Include Missed Events starts with nothing older than 30 days', async () => {
    const parameters = { ...everyMinute };
    const poller = await service.published([created], parameters);
    poller.unpublish();
    addMany(1);
    await minutes(12);
    expect(await poller.poll()).toEqual([]);
    await minutes(30 * 24 * 60);
    Object.assign(parameters, missed);
    poller.update();
    expect(await poller.poll()).toEqual([]);
  });

  it('says how many of a thousand and more it keeps', async () => {
    const parameters = { ...everyMinute };
    const poller = await service.published([created], parameters);
    poller.unpublish();
    addMany(1_001);
    await minutes(12);
    expect(await poller.poll()).toEqual([]);
    expect(logged()).toEqual([
      expect.stringMatching(
        /that do not start it: 1001\. With 'Include Missed Events', publishing starts it with up to 1000 of each kind\.$/,
      ),
    ]);
    Object.assign(parameters, missed);
    poller.update();
    expect(await poller.poll()).toHaveLength(1_000);
  });

  it('keeps what is left out of a list that takes several polls', async () => {
    const parameters = { ...everyMinute };
    const poller = await service.published([created], parameters);
    poller.unpublish();
    const added = addMany(260);
    await minutes(12);
    const { faults } = service.sandbox;
    const refusal = { fault: 'status', status: 429, path: '/campaign-requests' } as const;
    for (let polls = 0; polls < 3; polls += 1) {
      // Longer than a poll waits.
      faults.add({ ...refusal, headers: { 'retry-after': '400' }, skip: 2 });
      expect(await poller.poll()).toEqual([]);
      faults.clear();
      await minutes(10);
    }
    expect(
      logged()
        .join('\n')
        .match(/(?<=start it: )\d+/g),
    ).toEqual(['76', '100', '84']);
    Object.assign(parameters, missed);
    poller.update();
    expect(ids(await poller.poll()).sort()).toEqual(added.sort());
  });

  it('with Include Missed Events and another filter starts with nothing that was left out', async () => {
    const parameters: INodeParameters = { ...everyMinute, filters: { industry: 'retail' } };
    const poller = await service.published([created], parameters);
    poller.unpublish();
    service.add({ industry: 'retail' });
    await minutes(12);
    expect(await poller.poll()).toEqual([]);
    Object.assign(parameters, missed, { filters: { industry: 'fitness' } });
    poller.update();
    expect(await poller.poll()).toEqual([]);
  });

  it('after a restart of n8n in between knows when the last poll that found something was', async () => {
    const poller = await service.published([created], everyMinute);
    await minutes(60);
    const { id } = service.add();
    expect(ids(await poller.poll())).toEqual([id]);
    poller.unpublish();
    await service.engine.restart();
    const [seen] = addMany(1);
    await minutes(9);
    expect(ids(await poller.poll())).toEqual([seen]);
    poller.unpublish();
    await service.engine.restart();
    addMany(1);
    await minutes(12);
    expect(await poller.poll()).toEqual([]);
  });

  it.each([
    ['every 2 hours', schedule({ mode: 'everyX', value: 2, unit: 'hours' }), 120],
    ['every hour', schedule({ mode: 'everyHour', minute: 5 }), 60],
    ['every day', schedule({ mode: 'everyDay', hour: 9, minute: 0 }), 24 * 60],
    ['every week', schedule({ mode: 'everyWeek', hour: 9, minute: 0, weekday: '1' }), 7 * 24 * 60],
    [
      'every month',
      schedule({ mode: 'everyMonth', hour: 9, minute: 0, dayOfMonth: 1 }),
      31 * 24 * 60,
    ],
    ['every 20 minutes', schedule({ mode: 'custom', cronExpression: '*/20 * * * *' }), 20],
  ])('has missed nothing while no poll was due: %s', async (_what, parameters, interval) => {
    const poller = await service.published([created], parameters);
    poller.unpublish();
    const { id } = service.add();
    await minutes(interval + 9);
    expect(ids(await poller.poll())).toEqual([id]);
    poller.unpublish();
    service.add();
    await minutes(interval + 12);
    expect(await poller.poll()).toEqual([]);
  });

  it('counts failed polls as polls', async () => {
    const poller = await service.published([created], everyMinute);
    const { id } = service.add();
    service.sandbox.faults.add({ fault: 'status', status: 500, path: '/campaign-requests' });
    await minutes(60);
    await expect(poller.poll()).rejects.toThrow('The service is not available (500)');
    service.sandbox.faults.clear();
    poller.unpublish();
    expect(ids(await poller.poll())).toEqual([id]);
  });

  it('as another version over this one has missed nothing, whatever the time', async () => {
    const poller = await service.published([created], everyMinute);
    await minutes(60);
    const { id } = service.add();
    poller.update();
    expect(ids(await poller.poll())).toEqual([id]);
  });

  it.each([listed, rises])('%s follows the same rule', async (event) => {
    const parameters = { ...everyMinute };
    const poller = await service.published([event], parameters);
    poller.unpublish();
    service.sandbox.screens.add({ id: 'scr_new', city: 'Berlin', ad_sov_pct: 0 });
    service.set(25);
    await minutes(12);
    expect(await poller.poll()).toEqual([]);
    Object.assign(parameters, missed);
    poller.update();
    expect(await poller.poll()).toMatchObject([{ json: { type: event } }]);
  });
});

it('a stop of n8n loses nothing, however long it is', async () => {
  const poller = await service.published([created], everyMinute);
  const { id } = service.add();
  poller.restart();
  await minutes(48 * 60);
  expect(ids(await poller.poll())).toEqual([id]);
});

it('a copy of a workflow continues nothing of the original', async () => {
  const original = await service.published([created], everyMinute);
  await original.poll();
  addMany(25);
  const copy = service.publish([created], everyMinute, original.staticData());
  expect(await copy.poll()).toEqual([]);
  const { id } = service.add();
  expect(ids(await copy.poll())).toEqual([id]);
  expect(await original.poll()).toHaveLength(26);
});

describe('another filter', () => {
  it('starts nothing with what only it includes, but with what both do', async () => {
    const parameters: INodeParameters = { filters: { industry: 'retail' } };
    const poller = await service.published([created], parameters);
    service.add({ industry: 'fitness' });
    const { id } = service.add({ industry: 'retail' });
    Object.assign(parameters, { filters: {} });
    poller.update();
    expect(ids(await poller.poll())).toEqual([id]);
    const next = service.add({ industry: 'fitness' }).id;
    expect(ids(await poller.poll())).toEqual([next]);
  });

  it('and then the first again, starts nothing with requests of the time between', async () => {
    const parameters: INodeParameters = { filters: { industry: 'retail' } };
    const poller = await service.published([created], parameters);
    Object.assign(parameters, { filters: { industry: 'fitness' } });
    poller.update();
    expect(await poller.poll()).toEqual([]);
    service.add({ industry: 'retail' });
    expect(await poller.poll()).toEqual([]);
    Object.assign(parameters, { filters: { industry: 'retail' } });
    poller.update();
    expect(await poller.poll()).toEqual([]);
  });

  it('of screens compares those that both include', async () => {
    const parameters: INodeParameters = { screenFilters: { city: 'Berlin' } };
    const poller = await service.published([rises], parameters);
    service.set(25);
    Object.assign(parameters, { screenFilters: {} });
    poller.update();
    expect(changesIn(await poller.poll())).toEqual([`${rises} ${screenId}`]);
  });
});

it('a rolling period is compared from day to day', async () => {
  jest.spyOn(n8nClock, 'now').mockImplementation(() => service.sandbox.clock.now());
  const rolling = { from: '={{ $today }}', to: '={{ $today.plus(7, "days") }}' };
  const daily = schedule({ mode: 'everyDay', hour: 9, minute: 0 });
  const poller = await service.published([rises], { ...rolling, ...daily });
  const found: string[][] = [];
  for (const available of [25, 5, 25, 25, 0, 11, 11]) {
    service.set(available);
    await minutes(24 * 60);
    // Other screens are free on some days, too.
    const changes = changesIn(await poller.poll());
    found.push(changes.filter((change) => change.endsWith(screenId)));
  }
  const rose = [`${rises} ${screenId}`];
  expect(found).toEqual([rose, [], rose, [], [], rose, []]);
});

describe('a poll that runs while', () => {
  /** One whose request the service has, and leaves for a second. */
  async function slowPoll(poller: Poller) {
    const { faults } = service.sandbox;
    faults.add({ fault: 'latency', ms: 1_000, path: '/campaign-requests', times: 1 });
    const running = poller.poll();
    await eventually(() => faults.list()[0]?.triggered === 1, 'the request of the slow poll');
    return { running };
  }

  it('another version is published starts nothing, and that version with everything', async () => {
    const poller = await service.published([created]);
    const { id } = service.add();
    const { running } = await slowPoll(poller);
    poller.update();
    expect(ids(await poller.poll())).toEqual([id]);
    expect(await running).toEqual([]);
    const next = service.add().id;
    expect(ids(await poller.poll())).toEqual([next]);
  });

  it('the workflow is unpublished loses nothing', async () => {
    const poller = await service.published([created]);
    const { id } = service.add();
    const { running } = await slowPoll(poller);
    poller.unpublish();
    expect(await running).toEqual([]);
    expect(ids(await poller.poll())).toEqual([id]);
  });
});
