import { describe, expect, it, jest } from '@jest/globals';
import { switchOnZap } from '../app/polled-zap.ts';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier.ts';

const service = useService({ screens: 40 });

const key = 'screen_availability_changed';
const id = 'scr_berlin_0001';
const other = 'scr_berlin_0002';
const inputData = {
  change: 'either',
  share_pct: 10,
  from: '2027-03-01',
  to: '2027-03-31',
  city: 'Berlin',
};

/** Sets the available share of a screen from now on, in percent. */
function set(available: number, screen = id): void {
  service().sandbox.screens.add({ id: screen, ad_sov_pct: 100, used_sov_pct: 100 - available });
}

/** Zapier's storage for the app, in zapier-platform-core's own format for tests. */
type Cache = Record<string, string>;

const connect = (cache: Cache) => service().connect({ event: { zcacheTestObj: cache } });

async function switchOn(cache: Cache = {}, fields: Record<string, unknown> = {}) {
  const trigger = { key, primary: ['id'], inputData: { ...inputData, ...fields } };
  return switchOnZap(await connect(cache), trigger);
}

const told = (records: Record<string, unknown>[]) =>
  records.map(({ screen_id, change }) => `${screen_id} ${change}`);

describe('Next Days', () => {
  it('watches the days from today on, in the zone of the Zap, and stays the same watch tomorrow', async () => {
    const cache: Cache = {};
    const start = Date.parse('2027-02-27T23:30:00Z');
    jest.spyOn(Date, 'now').mockReturnValue(start);
    set(0);
    const zap = await switchOn(cache, { from: '', to: '', next_days: '14' });
    service().sandbox.journal.clear();
    jest.spyOn(Date, 'now').mockReturnValue(start + 24 * 60 * 60 * 1000);
    set(25);
    expect(told(await zap.poll())).toEqual([`${id} rises_above`]);
    const asked = service()
      .calls()
      .filter((call) => call.includes(`${id}/availability`));
    // In Berlin, 2027-03-01 has begun.
    expect(asked).toEqual([`GET /screens/${id}/availability?from=2027-03-01&to=2027-03-14 200`]);
  });

  it('or both dates must be filled in', async () => {
    const zapier = await connect({});
    const input = { ...inputData, from: '', to: '' };
    expect(await zapier.poll(key, input).catch(readZapierError)).toMatchObject({
      message:
        'Screen Availability Changed was not sent: either From and To, or Next Days, must be filled in.',
    });
  });
});

describe('Screen Availability Changed', () => {
  it('starts one run for each time that a screen crosses the threshold', async () => {
    set(0);
    const zap = await switchOn();
    expect(await zap.poll()).toEqual([]);
    set(25);
    const [record, ...others] = await zap.poll();
    expect(record).toMatchObject({
      id: expect.stringMatching(/^scr_berlin_0001 rises_above \d{4}-\d\d-\d\dT\S+Z 1$/),
      screen_id: id,
      change: 'rises_above',
      share_pct: 10,
      available_sov_pct: 25,
      previous_available_sov_pct: 0,
      screen: { city: 'Berlin' },
    });
    expect(others).toEqual([]);
    set(30);
    expect(await zap.poll()).toEqual([]);
    set(5);
    expect(told(await zap.poll())).toEqual([`${id} falls_below`]);
    expect(await zap.poll()).toEqual([]);
    set(25);
    expect(told(await zap.poll())).toEqual([`${id} rises_above`]);
    expect(await zap.poll()).toEqual([]);
  });

  it('loses nothing when the result of a poll gets lost', async () => {
    set(0);
    const cache = {};
    const zap = await switchOn(cache);
    set(25);
    // Zapier sent the request, and never saw the response.
    await (await connect(cache)).poll(key, inputData);
    expect(told(await zap.poll())).toEqual([`${id} rises_above`]);
    expect(await zap.poll()).toEqual([]);
  });

  it('keeps Zaps with other fields, and other connections, apart', async () => {
    set(0);
    const cache: Cache = {};
    await switchOn(cache);
    await switchOn(cache, { share_pct: 20 });
    await switchOnZap(
      await service().connect({ kind: 'client credentials', event: { zcacheTestObj: cache } }),
      {
        key,
        primary: ['id'],
        inputData,
      },
    );
    expect(Object.keys(cache)).toHaveLength(3);
    expect(JSON.stringify(cache)).not.toContain(service().sandbox.accesses[0].apiKey);
  });

  it('returns the latest changes first, as Zapier asks', async () => {
    set(0);
    set(0, other);
    const zapier = await connect({});
    await zapier.poll(key, inputData);
    set(25);
    await zapier.poll(key, inputData);
    set(25, other);
    expect(told(await zapier.poll(key, inputData))).toEqual([
      `${other} rises_above`,
      `${id} rises_above`,
    ]);
  });

  it('shows one screen when an example is wanted, with two requests, and keeps nothing', async () => {
    const cache = {};
    const zapier = await connect(cache);
    service().sandbox.journal.clear();
    const [sample, ...others] = await zapier.poll(key, inputData, { isLoadingSample: true });
    expect(sample).toMatchObject({
      id: expect.stringMatching(/ sample$/),
      change: 'rises_above',
      previous_available_sov_pct: 5,
    });
    expect(others).toEqual([]);
    expect(service().calls()).toHaveLength(2);
    expect(cache).toEqual({});
    const nowhere = { ...inputData, city: 'Atlantis' };
    expect(await zapier.poll(key, nowhere, { isLoadingSample: true })).toEqual([]);
  });

  it.each([
    [
      { share_pct: 'much', change: '' },
      'Threshold in Percent must be a plain number such as 25 or 12.5, without units, spaces, or thousands separators, not "much"; Change is required: fill it in, or check the step it is mapped from',
    ],
  ])('names the field at fault in %j', async (fields, message) => {
    const zapier = await connect({});
    const poll = zapier.poll(key, { ...inputData, ...fields });
    expect(await poll.catch(readZapierError)).toMatchObject({
      name: 'AppError',
      message: `Screen Availability Changed was not sent: ${message}.`,
    });
  });
});
