import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  findAvailableScreens,
  type ReadAvailabilitiesOptions,
} from '@screen-advertising/core/availability';
import { inParallel } from '../../../shared/src/availability/read-availabilities.ts';
import { eventually } from '../../support/eventually.ts';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import { page, silence } from '../support/steps.ts';
import { availabilityRoute, later, period, responseOf, type ScriptedScreen } from './screens.ts';

const bench = useBench();

const find = (options?: ReadAvailabilitiesOptions) =>
  findAvailableScreens(bench.client({ retry: false }), period, options);

const screen = (id: string): ScriptedScreen => ({ id, share: 10, perDay: 100 });

describe('the search for available screens', () => {
  const sleep = () => bench.clock.sleep(50);
  const screens = Array.from({ length: 60 }, (_, at) => screen(`s${at}`));

  it('reads twenty screens at a time: 60 of them at 50 ms each take 4 responses in a row', async () => {
    let most = 0;
    const listed = page(screens, null, false);
    bench.service.on('GET /screens', later(listed, sleep));
    for (const one of screens) {
      const onWaiting = (waiting: number) => {
        most = Math.max(most, waiting);
      };
      bench.service.on(availabilityRoute(one.id), later(responseOf(one), sleep, onWaiting));
    }
    const start = bench.clock.now();
    const found = await bench.clock.run(find());
    expect(found.screens).toHaveLength(60);
    expect(bench.clock.now() - start).toBe(4 * 50);
    expect(most).toBe(20);
  });

  it('starts before the rest of the list has arrived', async () => {
    bench.service.on('GET /screens', page([{ id: 's0' }], 'next', true), silence);
    bench.service.on(availabilityRoute('s0'), responseOf(screen('s0')));
    const caller = new AbortController();
    const work = rejection(find({ signal: caller.signal }));
    await eventually(
      () => bench.service.receivedFor(availabilityRoute('s0')).length === 1,
      'the first screen was asked for',
    );
    caller.abort();
    await work;
  });
});

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

  it('rethrows the error of the source', async () => {
    async function* source() {
      yield 1;
      throw failure;
    }
    const work = inParallel(source, async () => undefined, { concurrency: 2 });
    expect(await rejection(work)).toBe(failure);
  });
});
