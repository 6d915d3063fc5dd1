import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shotsOf } from '../support/scene.ts';

/** The length in seconds of a scene whose 600 frames came this far apart. */
function secondsAt(ms: number): number {
  const frames = Array.from({ length: 600 }, (_, index) => ({ data: `${index}`, at: index * ms }));
  const shots = shotsOf({ caption: 'A scene', frames, last: 'last' });
  assert.equal(shots.at(-1)?.data, 'last');
  return shots.reduce((sum, { seconds }) => sum + seconds, 0);
}

describe('a scene of the video', () => {
  it('lasts as long as it took when that was short', () => {
    assert.ok(Math.abs(secondsAt(10) - (5.99 + 0.7 + 5)) < 0.01, `${secondsAt(10)} s`);
  });

  for (const ms of [50, 700, 60_000]) {
    it(`lasts 17 s, however busy the machine was: a frame every ${ms} ms`, () => {
      assert.ok(Math.abs(secondsAt(ms) - 17) < 0.01, `${secondsAt(ms)} s`);
    });
  }
});
