import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { useScripted } from '../../shared/support/scripted-service.ts';
import { switchOnZap } from '../app/polled-zap.ts';
import { createZapierRunner, readZapierError } from '../app/zapier.ts';

const service = useScripted();

/** What Zapier keeps for the app, which all Zaps of a connection share. */
type Cache = Record<string, string>;

/** A connection whose cache a test can look at. */
function connect(cache: Cache) {
  const credentials = { apiKey: 'svc_sequences_0123456789' };
  const event = { zcacheTestObj: cache };
  return createZapierRunner({ baseUrl: service.baseUrl, credentials, event });
}

describe('every run of every Zap that waits for a status', () => {
  /** The status of the one request there is from then on; `none` before it comes in. */
  type Step = 'none' | 'new' | 'rejected' | 'converted' | null | 'cache lost';

  function happen(step: Step, cache: Cache): void {
    if (step === 'cache lost') {
      for (const name of Object.keys(cache)) delete cache[name];
      return;
    }
    const data = step === 'none' ? [] : [{ id: 'cr_1', status: step }];
    service.on('GET /campaign-requests', { body: { data } });
  }

  it.each<[steps: Step[], changes: string[]]>([
    [['none', null], []],
    [['none', 'new'], []],
    [['rejected', 'rejected'], []],
    [['none', null, 'rejected'], ['null → rejected']],
    [['none', 'new', 'rejected'], ['new → rejected']],
    [['none', 'rejected'], ['null → rejected']],
    [
      [null, 'rejected', 'converted', 'rejected'],
      ['null → rejected', 'rejected → converted', 'converted → rejected'],
    ],
    [['rejected', 'none', 'rejected', 'none', 'converted'], ['rejected → converted']],
    [['rejected', null, 'rejected'], ['null → rejected']],
    [
      [null, 'rejected', 'cache lost', 'converted'],
      ['null → rejected', 'rejected → converted'],
    ],
    [
      ['rejected', 'converted', 'rejected', 'cache lost', 'converted', 'rejected'],
      [
        ...['rejected → converted', 'converted → rejected'],
        ...['rejected → converted', 'converted → rejected'],
      ],
    ],
  ])('%j', async ([first, ...rest], changes) => {
    const cache: Cache = {};
    const runner = connect(cache);
    happen(first as Step, cache);
    const trigger = { key: 'campaign_request_status_changed', primary: ['change_id'] };
    const zaps = await Promise.all(
      [{}, { status: 'rejected' }, { status: 'converted' }].map(async (inputData) => ({
        zap: await switchOnZap(runner, { ...trigger, inputData }),
        runs: [] as string[],
      })),
    );
    const poll = async (): Promise<void> => {
      for (const { zap, runs } of zaps)
        for (const { status, previous_status } of await zap.poll())
          runs.push(`${previous_status} → ${status}`);
    };
    for (const step of rest) {
      happen(step, cache);
      await poll();
    }
    await poll();
    const to = (status: string) => changes.filter((change) => change.endsWith(`→ ${status}`));
    expect(zaps.map(({ runs }) => runs)).toEqual([changes, to('rejected'), to('converted')]);
  });
});

let cache: Cache;
let zapier: ReturnType<typeof connect>;
beforeEach(() => {
  cache = {};
  zapier = connect(cache);
});

const switchOn = () =>
  switchOnZap(zapier, { key: 'campaign_request_status_changed', primary: ['change_id'] });

/** Lists as many campaign requests, the first of them rejected. */
function reject(rejected: number, count: number): void {
  const data = Array.from({ length: count }, (_, index) => ({
    id: `cr_${index}`,
    status: index < rejected ? 'rejected' : null,
  }));
  service.on('GET /campaign-requests', { body: { data } });
}

describe('two Zaps that share what they have seen', () => {
  it('each run for all 500 changes, however seldom one of them polls', async () => {
    reject(0, 500);
    const often = await switchOn();
    const seldom = await switchOn();
    for (const rejected of [100, 200, 300, 400, 500]) {
      reject(rejected, 500);
      expect(await often.poll()).toHaveLength(100);
    }
    expect(await seldom.poll()).toHaveLength(500);
    expect(await seldom.poll()).toEqual([]);
    expect(await often.poll()).toEqual([]);
  });

  it('forget changes after a day', async () => {
    reject(0, 2);
    const zap = await switchOn();
    const late = await switchOn();
    reject(1, 2);
    expect(await zap.poll()).toHaveLength(1);
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 25 * 60 * 60 * 1000);
    reject(2, 2);
    expect(await late.poll()).toMatchObject([{ id: 'cr_1' }]);
  });

  it('say so once when they have to drop changes of the last day', async () => {
    reject(0, 2100);
    const often = await switchOn();
    const seldom = await switchOn();
    reject(1500, 2100);
    expect(await often.poll()).toHaveLength(1500);
    reject(2100, 2100);
    expect(await often.poll().catch(readZapierError)).toMatchObject({
      name: 'AppError',
      message:
        'Campaign Request Status Changed found more than 2000 changes in a day, and dropped the oldest 1100. Zaps that had not polled since then miss them. Narrow it with the other fields.',
    });
    expect(await often.poll()).toHaveLength(600);
    expect(await seldom.poll()).toHaveLength(1000);
  });

  it('forget the counts of records that no longer exist, and start no run twice', async () => {
    reject(0, 20_000);
    const zap = await switchOn();
    reject(2, 20_000);
    expect(await zap.poll()).toHaveLength(2);
    const gone = { id: 'cr_new', status: 'rejected' };
    service.on('GET /campaign-requests', { body: { data: [gone, { id: 'cr_0', status: null }] } });
    expect(await zap.poll()).toHaveLength(1);
    const [stored] = Object.values(cache).map((text) => JSON.parse(text));
    expect(stored).toMatchObject({ seen: { cr_new: 'rejected', cr_0: '' } });
    expect(stored.counts).toEqual({});
    expect(Object.keys(stored.seen)).toHaveLength(2);
    reject(1, 1);
    expect(await zap.poll()).toMatchObject([{ id: 'cr_0', status: 'rejected' }]);
  });

  it('remember 20,000 records, also those that no longer exist', async () => {
    reject(0, 19_999);
    const zap = await switchOn();
    const added = { id: 'cr_new', status: 'rejected' };
    service.on('GET /campaign-requests', { body: { data: [added] } });
    expect(await zap.poll()).toHaveLength(1);
    const [stored] = Object.values(cache).map((text) => JSON.parse(text));
    expect(Object.keys(stored.seen)).toHaveLength(20_000);
    expect(stored.counts).toEqual({ cr_new: 1 });
  });

  it('keep all changes of a single poll', async () => {
    reject(0, 2100);
    const zap = await switchOn();
    reject(2100, 2100);
    expect(await zap.poll()).toHaveLength(2100);
  });
});

it('a list without an end is an error that says what to do', async () => {
  let cursor = 0;
  const data = Array.from({ length: 5000 }, (_, index) => ({ id: `cr_${index}` }));
  service.on('GET /campaign-requests', (response) => {
    cursor += 1;
    const pagination = { has_more: true, cursor: `page ${cursor}` };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data, pagination }));
  });
  expect(await zapier.poll('new_campaign_request').catch(readZapierError)).toMatchObject({
    name: 'AppError',
    message:
      'New Campaign Request found more than 50000 records, too many for one run. Narrow it with the other fields.',
  });
  expect(cursor).toBe(11);
});
