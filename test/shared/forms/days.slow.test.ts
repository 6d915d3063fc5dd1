import { expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { readForm } from '@screen-advertising/core/forms';
import { cases } from '../../support/tier.ts';
import { zones } from './zones.ts';

const day = 86_400_000;
const inDay = (given: unknown, timeZone?: string) =>
  readForm(compoundOperations['screen.findAvailable'], { from: given }, { timeZone }).from;
const dayOrTime = (given: unknown, timeZone?: string) =>
  readForm(operations['coupon.create'], { valid_until: given }, { timeZone }).valid_until;

/** What a clock on the wall shows, such as `2026-11-30 23:00:00`. */
const wall = (time: number, timeZone: string) =>
  new Date(time).toLocaleString('sv-SE', { timeZone });

/** Such as +05:45. */
function offset(time: number, timeZone: string): string {
  const minutes = (Date.parse(`${wall(time, timeZone)}Z`) - time) / 60_000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}

/** The same moment in every form in which a person or program hands it over. */
function formsOf(time: number, timeZone: string): unknown[] {
  const utc = new Date(time).toISOString();
  const local = wall(time, timeZone);
  const zoned = `${local.replace(' ', 'T')}${offset(time, timeZone)}`;
  return [
    new Date(time),
    utc,
    utc.replace('.000', ''),
    utc.replace('Z', '+00:00'),
    zoned,
    zoned.replace('T', ' '),
    zoned.replace(/:(\d\d)$/, '$1'),
    { toISO: () => zoned },
    local,
    local.replace(' ', 'T'),
    local.slice(0, 10),
    local.slice(0, 10).split('-').reverse().join('.'),
  ];
}

/** Hours of three years, and the seconds around each of them. */
function momentsOf(): number[] {
  const start = Date.UTC(2025, 0, 1);
  const count = cases(1000);
  return Array.from({ length: count }, () => {
    const hour = start + Math.floor(Math.random() * 3 * 365 * 24) * 3_600_000;
    return (
      hour + (Math.floor(Math.random() * 5) - 2) * 900_000 + Math.floor(Math.random() * 3) * 1000
    );
  });
}

it('a moment where a day is meant is its day in the time zone, however it came in', () => {
  const differences: unknown[] = [];
  for (const time of momentsOf().filter((moment) => moment % day !== 0)) {
    const timeZone = zones[Math.floor(Math.random() * zones.length)] ?? '';
    const expected = wall(time, timeZone).slice(0, 10);
    for (const form of formsOf(time, timeZone)) {
      const read = inDay(form, timeZone);
      if (read !== expected) differences.push({ timeZone, form, read, expected });
    }
  }
  expect(differences).toEqual([]);
});

it('a moment where a day or time is meant is a day if it starts one, else as written', () => {
  const differences: unknown[] = [];
  for (const time of momentsOf().filter((moment) => moment % day !== 0)) {
    const timeZone = zones[Math.floor(Math.random() * zones.length)] ?? '';
    const local = wall(time, timeZone);
    const isStart =
      local.endsWith('00:00:00') || wall(time - 1, timeZone).slice(0, 10) !== local.slice(0, 10);
    for (const form of formsOf(time, timeZone).slice(0, 8)) {
      const text = form instanceof Date ? form.toISOString() : form;
      const written = typeof text === 'object' ? (text as { toISO(): string }).toISO() : text;
      const expected = isStart ? local.slice(0, 10) : written;
      const read = dayOrTime(form, timeZone);
      if (read !== expected) differences.push({ timeZone, form, read, expected });
    }
  }
  expect(differences).toEqual([]);
});
