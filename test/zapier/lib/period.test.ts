import { describe, expect, it } from '@jest/globals';
import { withPeriod } from '../../../packages/zapier-screen-advertising/src/lib/dates.ts';

const label = 'Find Available Screens';

/** In Auckland it is already the next day, in Los Angeles still the day before. */
const lateInLondon = Date.parse('2027-02-27T23:30:00Z');
const earlyInLondon = Date.parse('2027-02-28T03:00:00Z');

function periodOf(inputData: Record<string, unknown>, timezone: string | null, now: number) {
  const meta = { timezone } as Parameters<typeof withPeriod>[0]['meta'];
  return withPeriod({ inputData, meta }, label, now);
}

describe('the next days', () => {
  it.each([
    [1, 'UTC', lateInLondon, '2027-02-27', '2027-02-27'],
    [2, null, lateInLondon, '2027-02-27', '2027-02-28'],
    [2, 'Pacific/Auckland', lateInLondon, '2027-02-28', '2027-03-01'],
    [2, 'America/Los_Angeles', earlyInLondon, '2027-02-27', '2027-02-28'],
    [366, 'UTC', lateInLondon, '2027-02-27', '2028-02-27'],
    // The clocks change on 2027-03-28.
    [31, 'Europe/Berlin', Date.parse('2027-03-01T12:00:00Z'), '2027-03-01', '2027-03-31'],
  ])('%d days in %s', (next_days, timezone, now, from, to) => {
    expect(periodOf({ next_days }, timezone, now)).toEqual({ from, to });
  });

  it.each([' 14 ', '14.0', 14])('are read from %j', (next_days) => {
    const period = { city: 'Berlin', from: '2027-02-27', to: '2027-03-12' };
    expect(periodOf({ city: 'Berlin', next_days }, 'UTC', lateInLondon)).toEqual(period);
  });

  it.each(['  ', '', null, undefined])('are not used for %j', (next_days) => {
    const dates = { from: '2027-03-01', to: '2027-03-31' };
    expect(periodOf({ ...dates, next_days }, 'UTC', lateInLondon)).toEqual(dates);
  });

  it.each([0, -1, '1.5', '14 days', 3651, '1e3', true])('cannot be %j', (next_days) => {
    expect(() => periodOf({ next_days }, 'UTC', lateInLondon)).toThrow(
      `next_days must be a whole number from 1 to 3650, not "${next_days}".`,
    );
  });
});
