import { getEventListeners } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { rejection } from '../../support/bench.ts';
import { type ContractBench, reason } from './contract-bench.ts';

export function describeClock(bench: ContractBench): void {
  describe('provides a clock', () => {
    it('that knows the time of day', () => {
      const earliest = Date.now();
      const date = Number(bench.transport.clock.date?.());
      // The two may have been set at different moments.
      expect(date).toBeGreaterThan(earliest - 2000);
      expect(date).toBeLessThan(Date.now() + 2000);
    });

    it.each([-3_600_000, 3_600_000])('that keeps measuring when set by %d ms', (byMs) => {
      const { clock } = bench.transport;
      const before = clock.now();
      const { now } = Date;
      const set = jest.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
      const passedMs = clock.now() - before;
      set.mockRestore();
      expect(passedMs).toBeGreaterThanOrEqual(0);
      expect(passedMs).toBeLessThan(3_600_000);
    });

    it('that sleeps as long as requested', async () => {
      const { clock } = bench.transport;
      const woken: string[] = [];
      const naps = [400, 30].map((ms) => clock.sleep(ms).then(() => woken.push(`${ms} ms`)));
      // A shorter timer of this test, set after them, fires first.
      await new Promise((resolve) => setTimeout(resolve, 1)).then(() => woken.push('1 ms'));
      await Promise.all(naps);
      expect(woken).toEqual(['1 ms', '30 ms', '400 ms']);
    });

    it('whose sleep ends with the reason of the signal, and leaves no listener on it', async () => {
      const { clock } = bench.transport;
      const caller = new AbortController();
      const outcome = rejection(clock.sleep(60_000, caller.signal));
      caller.abort(reason);
      expect(await outcome).toBe(reason);
      expect(await rejection(clock.sleep(60_000, AbortSignal.abort(reason)))).toBe(reason);
      const { signal } = new AbortController();
      await clock.sleep(1, signal);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });
  });
}
