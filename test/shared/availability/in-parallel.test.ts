import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { inParallel } from '../../../shared/src/availability/in-parallel.ts';
import { rejection } from '../support/bench.ts';

const failure = new Error('No more.');

/** Numbers from 1 up, without an end. Reports how far it was read and whether it was closed. */
function numbers() {
  const source = { last: 0, isClosed: false };
  async function* give() {
    try {
      for (;;) {
        source.last += 1;
        yield source.last;
      }
    } finally {
      source.isClosed = true;
    }
  }
  return Object.assign(source, { give });
}

describe('inParallel', () => {
  it('takes no more items from the source than it can work on', async () => {
    const source = numbers();
    const stop = new AbortController();
    const work = inParallel(
      source.give,
      (_item, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      { concurrency: 3, signal: stop.signal },
    );
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(source.last).toBe(3);
    stop.abort(failure);
    expect(await rejection(work)).toBe(failure);
  });

  it('stops at the first failure: the others are aborted, and have ended when it rejects', async () => {
    const source = numbers();
    let underWay = 0;
    const work = inParallel(
      source.give,
      async (item, signal) => {
        if (item === 3) throw failure;
        underWay += 1;
        while (!signal.aborted) await nextTurn();
        await nextTurn();
        underWay -= 1;
      },
      { concurrency: 3 },
    );
    expect(await rejection(work)).toBe(failure);
    expect(underWay).toBe(0);
    expect(source).toMatchObject({ last: 3, isClosed: true });
  });

  it('starts no item that arrives after the end', async () => {
    const stop = new AbortController();
    const worked: number[] = [];
    async function* source() {
      yield 1;
      stop.abort(failure);
      yield 2;
    }
    const work = async (item: number) => {
      worked.push(item);
    };
    expect(await rejection(inParallel(source, work, { concurrency: 1, signal: stop.signal }))).toBe(
      failure,
    );
    expect(worked).toEqual([1]);
  });

  it('rethrows the error of the source', async () => {
    async function* source() {
      yield 1;
      throw failure;
    }
    const work = inParallel(source, async () => undefined, { concurrency: 2 });
    expect(await rejection(work)).toBe(failure);
  });
});
