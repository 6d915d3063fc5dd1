import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { dayInTimeZone, readForm } from '@screen-advertising/core/forms';

/** Of every kind: no summer time, at midnight, of half an hour, and the earliest and latest day. */
const zones = [
  'UTC',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  // Summer time starts at midnight, so that some days start at 01:00.
  'Asia/Beirut',
  // It ends at 01:00, so that some days start twice.
  'America/Havana',
];

const inDay = (given: unknown, timeZone?: string) =>
  readForm(compoundOperations['screen.findAvailable'], { from: given }, { timeZone }).from;
const dayOrTime = (given: unknown, timeZone?: string) =>
  readForm(operations['coupon.create'], { valid_until: given }, { timeZone }).valid_until;

describe('a moment where a day is meant', () => {
  it.each(zones)('at 00:00:00 UTC is the day that it names, also in %s', (timeZone) => {
    for (const form of [
      '2026-12-01T00:00:00Z',
      '2026-12-01T00:00:00.000Z',
      '2026-12-01 00:00:00+00:00',
      '2026-12-01T00:00:00',
      '2026-12-01T00:00Z',
      new Date('2026-12-01'),
    ]) {
      expect(inDay(form, timeZone)).toBe('2026-12-01');
      expect(dayOrTime(form, timeZone)).toBe('2026-12-01');
      expect(inDay(form)).toBe('2026-12-01');
    }
  });

  it.each(zones)('at 23:59:59 UTC is the day that it names, also in %s', (timeZone) => {
    for (const form of ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.999+00:00']) {
      expect(inDay(form, timeZone)).toBe('2026-12-31');
      expect(inDay(form)).toBe('2026-12-31');
    }
  });

  it.each([
    new Date('2026-11-30T20:00:00Z'),
    '2026-11-30T20:00:00.000Z',
    '2026-11-30T20:00:00+00:00',
    '2026-12-01T01:45:00+05:45',
    '2026-12-01 01:45:00+05:45',
    '2026-12-01T01:45:00+0545',
    { toISO: () => '2026-12-01T01:45:00+05:45' },
    '2026-12-01 01:45:00',
    '2026-12-01T01:45:00',
    '2026-12-01',
    '01.12.2026',
  ])('is its day in the zone of the workflow, however it came in: %p', (form) => {
    expect(inDay(form, 'Asia/Kathmandu')).toBe('2026-12-01');
  });

  it('that was written in another zone is its day in the zone of the workflow', () => {
    expect(inDay('2026-11-30T23:00:00.000Z', 'Europe/Vienna')).toBe('2026-12-01');
    expect(inDay('2026-11-30T19:00:00-05:00', 'America/New_York')).toBe('2026-11-30');
    expect(inDay('2026-12-01T00:00:00+09:00', 'Europe/Vienna')).toBe('2026-11-30');
  });

  it.each(['2026-11-30T23:00:00Z', '2026-12-01T09:00:00+13:00', '2026-12-01 09:00'])(
    'is refused without a time zone: %s',
    (given) => {
      const refusal = `from must be a day such as 2027-03-31, without a time, not "${given}"`;
      expect(() => inDay(given)).toThrow(refusal);
      if (/Z|\+/.test(given)) expect(() => inDay(given, 'Mars/Olympus')).toThrow(refusal);
    },
  );

  it.each(['2026-02-30', '2026-02-30T09:00:00Z'])(
    'is refused if it does not exist: %s',
    (given) => {
      const refusal = `from must be a day that exists, not "${given}"`;
      expect(() => inDay(given, 'Europe/Vienna')).toThrow(refusal);
    },
  );

  it.each(['2026-12-01T25:00:00Z', 'Invalid DateTime'])(
    'that does not exist is left to the check of the operation: %s',
    (given) => {
      expect(inDay(given, 'Europe/Vienna')).toBe(given);
    },
  );
});

describe('a moment where a day or time is meant', () => {
  it.each([
    // Only a day that a platform made a time is written in the zone of the workflow.
    ['2026-03-31T22:00:00Z', 'Europe/Vienna', '2026-03-31T22:00:00Z'],
    ['2026-12-24T17:00:00-06:00', 'Europe/Vienna', '2026-12-24T17:00:00-06:00'],
    ['2026-03-31T21:00:00+01:00', 'Europe/Vienna', '2026-03-31T21:00:00+01:00'],
    ['2026-04-01T00:00:00+02:00', 'Europe/Vienna', '2026-04-01'],
    // In Beirut, 29 March 2026 starts at 01:00.
    ['2026-03-29T01:00:00+03:00', 'Asia/Beirut', '2026-03-29'],
    // In Havana, 1 November 2026 starts twice.
    ['2026-11-01T00:00:00-04:00', 'America/Havana', '2026-11-01'],
    ['2026-11-01T00:00:00-05:00', 'America/Havana', '2026-11-01'],
    ['2026-03-31T23:59:59Z', 'Europe/Vienna', '2026-03-31T23:59:59Z'],
    ['2026-03-31T22:00:00.500Z', 'Europe/Vienna', '2026-03-31T22:00:00.500Z'],
    [{ toISO: () => '2026-04-01T00:00:00.000+02:00' }, 'Europe/Vienna', '2026-04-01'],
    ['2026-12-01T00:00:00+0545', 'Asia/Kathmandu', '2026-12-01'],
    ['2026-12-01 00:00:01+05:45', 'Asia/Kathmandu', '2026-12-01 00:00:01+05:45'],
    ['2026-04-01T00:00:00', 'Europe/Vienna', '2026-04-01'],
    ['2026-04-01T14:30:00', 'Europe/Vienna', '2026-04-01T14:30:00'],
  ])('%s in %s is sent as %s', (given, timeZone, sent) => {
    expect(dayOrTime(given, timeZone)).toBe(sent);
  });

  it.each([undefined, 'Mars/Olympus'])(
    'is refused in the zone %s, where it may be a day that the platform made a time',
    (timeZone) => {
      expect(() => dayOrTime('2026-03-31T22:00:00Z', timeZone)).toThrow(
        'valid_until must be a day such as 2027-03-31, without a time, not "2026-03-31T22:00:00Z": the time zone is not known',
      );
      expect(dayOrTime('2026-03-31T00:00:00Z', timeZone)).toBe('2026-03-31');
      expect(dayOrTime('2026-03-31T23:59:59Z', timeZone)).toBe('2026-03-31T23:59:59Z');
    },
  );
});

it('names the day of a moment in a zone', () => {
  expect(dayInTimeZone('Pacific/Kiritimati', Date.UTC(2026, 10, 30, 12))).toBe('2026-12-01');
});
