import { operations } from '@screen-advertising/core';
import { parseResponse } from '../../../../shared/src/client/request.ts';
import { inRounds, ratiosTo, timeOf } from '../../lib/rounds.ts';
import type { Spread } from '../../lib/spread.ts';
import { pageSize, screenOf } from './screens.ts';

/** Compares reading one page as a response with JSON.parse of its body. */
export async function readingOnePage(rounds: number): Promise<Spread | undefined> {
  const data = Array.from({ length: pageSize }, (_, index) => screenOf(index));
  const pagination = { cursor: '2', has_more: true, total_count: 100_000 };
  const body = JSON.stringify({ data, pagination });
  const response = { status: 200, headers: {}, body };
  const list = operations['screen.list'];
  const times = await inRounds(
    {
      parse: () => timeOf(() => JSON.parse(body)),
      read: () => timeOf(() => parseResponse(list, {}, response)),
    },
    rounds,
  );
  return ratiosTo('parse', times).read;
}

/** Bytes of the heap that one page takes, parsed. */
export function bytesOfPage(moreBytes: number): number {
  const page = Array.from({ length: pageSize }, (_, index) => screenOf(index, moreBytes));
  const text = JSON.stringify(page);
  const copies = 50;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const kept: unknown[] = Array.from({ length: copies }, () => JSON.parse(text));
  globalThis.gc?.();
  const after = process.memoryUsage().heapUsed;
  return (after - before) / kept.length;
}
