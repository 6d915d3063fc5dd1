import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { switchOnZap } from '../app/polled-zap.ts';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier.ts';

const service = useService({ screens: 230 });

beforeEach(() => {
  // Retries do not wait.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

const added = { key: 'new_campaign_request', primary: ['id'] };
const screens = { key: 'new_screen', primary: ['id'] };
const changed = { key: 'campaign_request_status_changed', primary: ['change_id'] };

async function addRequests(count: number, data: Record<string, unknown> = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `cr_new_${index}`);
  for (const id of ids) await service().sandbox.fire('campaign_request.created', { ...data, id });
  return ids;
}

function answerWith(body: unknown): void {
  service().sandbox.faults.add({
    path: '/campaign-requests',
    fault: 'status',
    status: 200,
    body: JSON.stringify(body),
    contentType: 'application/json',
  });
}

function idsOf(records: Record<string, unknown>[]): unknown[] {
  return records.map(({ id }) => id);
}

describe('New Campaign Request', () => {
  it('starts a run for each request created since the Zap was switched on', async () => {
    const zap = await switchOnZap(await service().connect(), added);
    expect(await zap.poll()).toEqual([]);
    const ids = await addRequests(2, { industry: 'retail' });
    expect(idsOf(await zap.poll())).toEqual(ids);
    expect(await zap.poll()).toEqual([]);
  });

  it('misses nothing and starts nothing twice over several pages', async () => {
    const zap = await switchOnZap(await service().connect(), added);
    const ids = await addRequests(130);
    expect(idsOf(await zap.poll()).toSorted()).toEqual(ids.toSorted());
    expect(await zap.poll()).toEqual([]);
  });

  it('misses nothing among requests of the same moment', async () => {
    service().sandbox.clock.freeze();
    const zap = await switchOnZap(await service().connect(), added);
    await addRequests(3);
    expect(await zap.poll()).toHaveLength(3);
    await service().sandbox.fire('campaign_request.created', { id: 'cr_late' });
    expect(idsOf(await zap.poll())).toEqual(['cr_late']);
    service().sandbox.clock.run();
  });

  it('misses nothing after a poll that failed on the way', async () => {
    const zap = await switchOnZap(await service().connect(), added);
    const ids = await addRequests(60);
    service().sandbox.faults.add({ path: '/campaign-requests', fault: 'reset', skip: 1, times: 3 });
    expect(await zap.poll().catch(readZapierError)).toMatchObject({ code: 'network_error' });
    expect(idsOf(await zap.poll()).toSorted()).toEqual(ids.toSorted());
  });

  it('returns the newest first, as Zapier asks', async () => {
    const zapier = await service().connect();
    const records = await zapier.poll('new_campaign_request');
    const times = records.map(({ created_at }) => Date.parse(String(created_at)));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('watches only the industry that is filled in', async () => {
    const zap = await switchOnZap(await service().connect(), {
      ...added,
      inputData: { industry: 'fitness' },
    });
    await service().sandbox.fire('campaign_request.created', { id: 'cr_a', industry: 'retail' });
    await service().sandbox.fire('campaign_request.created', { id: 'cr_b', industry: 'fitness' });
    expect(idsOf(await zap.poll())).toEqual(['cr_b']);
  });

  it('reads only one page when an example is wanted', async () => {
    const zapier = await service().connect();
    await addRequests(60);
    service().sandbox.journal.clear();
    expect((await zapier.poll(added.key, {}, { isLoadingSample: true })).length).toBeGreaterThan(0);
    expect(service().calls()).toEqual(['GET /campaign-requests 200']);
  });
});

describe('Campaign Request Status Changed', () => {
  it('starts a run when a request gets another status, once', async () => {
    const zapier = await service().connect();
    const zap = await switchOnZap(zapier, changed);
    const [open] = await zapier.search('find_campaign_request', { status: 'converted' });
    await service().sandbox.fire('campaign_request.rejected', { id: open?.id });
    expect(await zap.poll()).toEqual([
      {
        ...open,
        change_id: expect.stringMatching(/^cr_\d+ rejected \d{4}-\d\d-\d\dT\S+Z 1$/),
        status: 'rejected',
        previous_status: 'converted',
        updated_at: expect.anything(),
      },
    ]);
    expect(await zap.poll()).toEqual([]);
  });

  it('passes over requests that have no status yet', async () => {
    const zap = await switchOnZap(await service().connect(), changed);
    await service().sandbox.fire('campaign_request.created', { id: 'cr_new' });
    expect(await zap.poll()).toEqual([]);
    await service().sandbox.fire('campaign_request.rejected', { id: 'cr_new' });
    expect(idsOf(await zap.poll())).toEqual(['cr_new']);
  });

  it('shows requests that have the status when an example is wanted, and keeps nothing', async () => {
    const zapier = await service().connect();
    const example = { isLoadingSample: true };
    const [first] = await zapier.poll(changed.key, { status: 'converted' }, example);
    expect(first).toMatchObject({
      change_id: `${first?.id} sample`,
      status: 'converted',
      previous_status: 'rejected',
    });
    expect(await zapier.poll(changed.key, { status: 'converted' })).toEqual([]);
  });

  it('watches only the status that is chosen', async () => {
    const zap = await switchOnZap(await service().connect(), {
      ...changed,
      inputData: { status: 'abandoned' },
    });
    await service().sandbox.fire('campaign_request.created', { id: 'cr_a', status: 'abandoned' });
    await service().sandbox.fire('campaign_request.created', { id: 'cr_b', status: 'rejected' });
    expect(idsOf(await zap.poll())).toEqual(['cr_a']);
  });
});

it('a record that appears twice, as on pages that shift, starts one run', async () => {
  const rejected = { id: 'cr_1', status: 'rejected' };
  const zapier = await service().connect();
  answerWith([rejected, rejected]);
  expect(await zapier.poll(added.key)).toEqual([{ ...rejected, industry: null }]);
});

it('a record without an ID stops the poll, since it could be new or known', async () => {
  const zapier = await service().connect();
  answerWith([{ status: 'rejected' }]);
  expect(await zapier.poll(added.key).catch(readZapierError)).toEqual({
    name: 'AppError',
    code: 'unexpected_response',
    message:
      'The service sent a campaign request without an ID, so new ones cannot be detected. Contact the Screen Advertising team.',
  });
});

describe('New Screen', () => {
  it('starts one run for each screen that is new, on whichever page', async () => {
    const zap = await switchOnZap(await service().connect(), screens);
    expect(await zap.poll()).toEqual([]);
    service().sandbox.screens.add({ id: 'scr_a_new', city: 'Linz' });
    service().sandbox.screens.add({ id: 'scr_z_new', city: 'Graz' });
    const runs = await zap.poll();
    expect(runs.map(({ id }) => id).toSorted()).toEqual(['scr_a_new', 'scr_z_new']);
    expect(await zap.poll()).toEqual([]);
  });

  it('watches only the city that is filled in', async () => {
    const inputData = { city: ' Linz ' };
    const zap = await switchOnZap(await service().connect(), { ...screens, inputData });
    service().sandbox.screens.add({ id: 'scr_linz', city: 'Linz' });
    service().sandbox.screens.add({ id: 'scr_graz', city: 'Graz' });
    expect((await zap.poll()).map(({ id }) => id)).toEqual(['scr_linz']);
  });

  it('watches only screens near a place, and shows the distance', async () => {
    const inputData = { near: '0, 0', radius_km: '2' };
    const zap = await switchOnZap(await service().connect(), { ...screens, inputData });
    service().sandbox.screens.add({ id: 'scr_near', latitude: 0, longitude: 0.01 });
    service().sandbox.screens.add({ id: 'scr_far', latitude: 0, longitude: 0.02 });
    expect(await zap.poll()).toMatchObject([{ id: 'scr_near', distance_km: 1.112 }]);
  });
});
