import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ScriptedService } from '../../shared/support/scripted-service.ts';
import { createZapierRunner, type ZapierRunner } from '../app/runner.ts';
import { switchOnZap } from '../app/zap.ts';
import { readZapierError } from '../app/zapier-error.ts';

const service = new ScriptedService();
let zapier: ZapierRunner;
let cache: Record<string, string>;
beforeAll(() => service.start());
beforeEach(() => {
  service.reset();
  const credentials = { apiKey: 'svc_changes_0123456789abcdef' };
  cache = {};
  const event = { zcacheTestObj: cache };
  zapier = createZapierRunner({ baseUrl: service.baseUrl, credentials, event });
});
afterAll(() => service.stop());

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
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 25 * 60 * 60 * 1000);
    reject(2, 2);
    expect(await late.poll()).toMatchObject([{ id: 'cr_1' }]);
    clock.mockRestore();
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
