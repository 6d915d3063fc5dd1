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
    expect(new Set(screens.map(({ id }) => id)).size).toBe(320);
    const kinds = screens.map(({ bookable, is_active }) => `${bookable} ${is_active}`);
    expect(new Set(kinds)).toEqual(new Set(['true true', 'false true', 'false false']));
  });

  it('has screens that are turned as their measures say', () => {
    const screens = seeded().screens.list();
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
