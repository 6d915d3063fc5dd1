import { describe, expect, it } from '@jest/globals';
import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';

const seeded = (options: SandboxOptions = {}): Sandbox =>
  createSandbox({ clock: 'frozen', startAt: 0, ...options });

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

  it('has screens in 16 cities of 10 countries, each turned as its measures say', () => {
    const screens = seeded().screens.list();
    expect(new Set(screens.map(({ city }) => city)).size).toBe(16);
    expect(new Set(screens.map(({ country }) => country)).size).toBe(10);
    for (const { resolution_width: width, resolution_height: height, ...screen } of screens) {
      const shape = width > height ? 'landscape' : width < height ? 'portrait' : 'square';
      expect(screen.orientation).toBe(shape);
    }
  });

  it('has as many screens as requested', () => {
    expect(seeded({ screens: 0 }).screens.list()).toEqual([]);
    const many = seeded({ screens: 2000 }).screens.list();
    expect(new Set(many.map(({ id }) => id)).size).toBe(2000);
  });
});
