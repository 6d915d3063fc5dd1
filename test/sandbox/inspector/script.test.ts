import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { openInspector } from './support.ts';

/** Just enough of a browser for the script to start and to refresh. */
async function openPage() {
  const timers: (() => void)[] = [];
  const answers: ((outcome: Promise<{ ok: boolean }>) => void)[] = [];
  const document = {
    hidden: false,
    documentElement: { classList: { add: () => undefined }, dataset: { refreshMs: '1000' } },
    querySelector: () => null,
    querySelectorAll: () => [],
    addEventListener: () => undefined,
  };
  const page = {
    document,
    location: { href: 'http://127.0.0.1/' },
    setTimeout: (run: () => void) => timers.push(run),
    fetch: () => new Promise((resolve) => answers.push(resolve)),
  };
  runInNewContext(await openInspector().html('/inspector/script.js'), page);
  return {
    document,
    timers,
    answers,
    /** Fires the oldest timer, and everything that follows from it at once. */
    async wait() {
      timers.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('an open page', () => {
  it('refreshes only after the last refresh has ended, even with an error', async () => {
    const { timers, answers, wait } = await openPage();
    await wait();
    expect([answers.length, timers.length]).toEqual([1, 0]);
    answers[0]?.(Promise.resolve({ ok: false }));
    await wait();
    expect(timers).toHaveLength(1);
    await wait();
    expect(answers).toHaveLength(2);
    answers[1]?.(Promise.reject(new Error('The sandbox is gone.')));
    await wait();
    expect(timers).toHaveLength(1);
  });

  it('sends no request while it is hidden, and continues afterwards', async () => {
    const { document, answers, wait } = await openPage();
    document.hidden = true;
    await wait();
    expect(answers).toEqual([]);
    document.hidden = false;
    await wait();
    expect(answers).toHaveLength(1);
  });
});
