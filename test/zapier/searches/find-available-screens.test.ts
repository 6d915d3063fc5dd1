import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier.ts';

const service = useService({ screens: 120 });
beforeEach(() => {
  endNoRun();
  // Retries do not wait.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

/** A busy machine needs more than the 25 s that a run of Zapier may take. */
function endNoRun(): void {
  const { setTimeout: set } = globalThis;
  const patient = (work: () => void, ms = 0) => set(ms === 25_000 ? () => undefined : work, ms);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(patient as typeof setTimeout);
}

const key = 'find_available_screens';
const period = { from: '2027-03-01T00:00:00+01:00', to: '2027-03-14T00:00:00+01:00' };
const inBerlin = { ...period, city: 'Berlin' };

describe('Find Available Screens', () => {
  it('finds matching screens, the cheapest first', async () => {
    const zapier = await service().connect();
    const found = await zapier.search(key, {
      ...inBerlin,
      min_available_sov_pct: '20',
      budget_cents: 4000,
    });
    expect(found.length).toBeGreaterThan(1);
    const prices = found.map(({ total_price_cents }) => Number(total_price_cents));
    expect(prices).toEqual(prices.toSorted((one, other) => one - other));
    expect(prices.every((price) => price <= 400_000)).toBe(true);
    expect(found.every(({ available_sov_pct }) => Number(available_sov_pct) >= 20)).toBe(true);
    expect(found[0]).toMatchObject({
      from: '2027-03-01',
      to: '2027-03-14',
      days: 14,
      screen: { city: 'Berlin', thumbnail: expect.stringContaining('hydrate|||') },
      unread_screens: 0,
      unread_screen_ids: '',
    });
  });

  it('reads fewer screens for an access with a lower rate limit', async () => {
    const zapier = await service().connect({ fields: { rate_limit: '12' } });
    const error = await zapier.search(key, period).catch(readZapierError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^More than 10 screens match, too many for one run\. /),
    });
  });

  it('takes the next days, from today in the time zone of the Zap', async () => {
    const zapier = await service().connect();
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-02-28T23:30:00Z'));
    const meta = { timezone: 'Europe/Berlin' };
    const found = await zapier.search(key, { city: 'Berlin', next_days: '14' }, meta);
    expect(found[0]).toMatchObject({ from: '2027-03-01', to: '2027-03-14', days: 14 });
    expect(found).toEqual(await zapier.search(key, inBerlin));
  });

  it('says in each record how many screens could not be read', async () => {
    const zapier = await service().connect();
    const all = await zapier.search(key, inBerlin);
    for (const id of ['scr_berlin_0001', 'scr_berlin_0002']) {
      const path = `/screens/${id}/availability`;
      service().sandbox.faults.add({ fault: 'status', status: 500, path });
    }
    const found = await zapier.search(key, inBerlin);
    expect(found.map(({ screen_id }) => screen_id)).toEqual(
      all.map(({ screen_id }) => screen_id).filter((id) => !/berlin_000[12]$/.test(String(id))),
    );
    for (const record of found) {
      expect(record).toMatchObject({
        unread_screens: 2,
        unread_screen_ids: 'scr_berlin_0001, scr_berlin_0002',
      });
    }
  });

  it('fails if no screen matches and some could not be read', async () => {
    const zapier = await service().connect();
    const path = '/screens/scr_berlin_0001/availability';
    expect(await zapier.search(key, { ...inBerlin, budget_cents: 1 })).toEqual([]);
    service().sandbox.faults.add({ fault: 'status', status: 500, path, detail: 'A fault.' });
    // A screen whose share is unknown cannot be said to miss the budget.
    const search = zapier.search(key, { ...inBerlin, budget_cents: 1 });
    expect(await search.catch(readZapierError)).toMatchObject({
      name: 'AppError',
      message:
        'Find Available Screens failed: the service reported an error (500). The service says: "A fault." Replay the step later.',
    });
  });

  it('lets Zapier run it again later when the rate limit is reached, not at the same moment as others', async () => {
    const zapier = await service().connect();
    jest.spyOn(Math, 'random').mockReturnValue(0.25);
    service().sandbox.faults.add({
      fault: 'status',
      status: 429,
      path: '/screens/*/availability',
      headers: { 'retry-after': '30' },
    });
    expect(await zapier.search(key, inBerlin).catch(readZapierError)).toMatchObject({
      name: 'ThrottledError',
      delay: 40,
    });
  });

  it.each([
    [{ ...inBerlin, to: '2027-02-01' }, 'To (2027-02-01) must not be before From'],
    [{ city: 'Berlin' }, 'either From and To, or Next Days, must be filled in'],
    [{ ...inBerlin, next_days: 14 }, 'Next Days must be empty when From or To is filled in'],
  ])('names the field at fault in %j', async (input, message) => {
    const zapier = await service().connect();
    expect(await zapier.search(key, input).catch(readZapierError)).toMatchObject({
      name: 'AppError',
      code: 'invalid_input',
      message: `Find Available Screens was not sent: ${message}.`,
    });
  });
});
