import { describe, expect, it } from '@jest/globals';
import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';

const seeded = (options: SandboxOptions = {}): Sandbox =>
  createSandbox({ clock: 'frozen', startAt: 0, ...options });

/** Kilometers between two places on a globe. */
function distance(
  one: { latitude: number; longitude: number },
  other: { latitude: number; longitude: number },
): number {
  const radians = Math.PI / 180;
  const [a, b] = [one.latitude * radians, other.latitude * radians];
  const step = (one.longitude - other.longitude) * radians;
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(step);
  return 6371 * Math.acos(Math.min(1, cosine));
}

describe('the seed', () => {
  it('generates the same data for the same number, and other data for another', () => {
    const [one, same, other] = [{ seed: 5 }, { seed: 5 }, { seed: 6 }].map((options) =>
      JSON.stringify(seeded(options).snapshot()),
    );
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('has 320 screens with unique IDs, some of which cannot be booked', () => {
    const screens = seeded().screens.list();
    expect(screens).toHaveLength(320);
    expect(new Set(screens.map(({ id }) => id)).size).toBe(320);
    const hidden = screens.filter(({ bookable }) => !bookable);
    expect(hidden.length).toBe(29);
    expect(new Set(hidden.map(({ is_active }) => is_active))).toEqual(new Set([true, false]));
    expect(screens.filter(({ bookable }) => bookable).every(({ is_active }) => is_active)).toBe(
      true,
    );
  });

  it('puts screens within 6 km of their city, in 16 cities of 10 countries', () => {
    const screens = seeded().screens.list();
    const berlin = { latitude: 52.5163, longitude: 13.3777 };
    const inBerlin = screens.filter(({ city }) => city === 'Berlin');
    expect(inBerlin.length).toBeGreaterThan(10);
    for (const screen of inBerlin) expect(distance(screen, berlin)).toBeLessThan(6);
    expect(new Set(screens.map(({ city }) => city)).size).toBe(16);
    expect(new Set(screens.map(({ country }) => country)).size).toBe(10);
  });

  it('has screens with plausible measures and prices', () => {
    const screens = seeded().screens.list();
    expect(screens.length).toBeGreaterThan(20);
    for (const screen of screens) {
      const ratio = screen.resolution_width / screen.resolution_height;
      const shape = ratio > 1 ? 'landscape' : ratio < 1 ? 'portrait' : 'square';
      expect(screen.orientation).toBe(shape);
      expect(screen.price_per_day_cents).toBeGreaterThanOrEqual(400);
      expect(screen.price_per_day_cents % 50).toBe(0);
      expect(screen.ad_sov_pct).toBeLessThanOrEqual(100);
      expect(screen.address).toContain(screen.city);
      expect(Date.parse(screen.created_at)).toBeLessThan(Date.parse('2026-11-01'));
    }
  });

  it('has as many screens as requested', () => {
    expect(seeded({ screens: 0 }).screens.list()).toEqual([]);
    const many = seeded({ screens: 2000 }).screens.list();
    expect(new Set(many.map(({ id }) => id)).size).toBe(2000);
  });
});
