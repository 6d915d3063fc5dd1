import { describe, expect, it } from '@jest/globals';
import { type Client, operations } from '@screen-advertising/core';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import type { Step } from '../support/scripted-service.ts';
import { Held, page, problem, silence } from '../support/steps.ts';

const bench = useBench();
const list = operations['screen.list'];

async function collect<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of source) all.push(item);
  return all;
}

/** The IDs of all screens of a list that the service returns in these steps. */
async function idsOf(...steps: Step[]): Promise<string[]> {
  bench.service.on('GET /screens', ...steps);
  return (await collect(bench.client().items(list))).map(({ id }) => id);
}

const paths = (): string[] => bench.service.received.map(({ path }) => path);

describe('items', () => {
  it('reads 2,000 screens in 10 pages of 200, each of them once', async () => {
    const screens = Array.from({ length: 2000 }, (_, nth) => ({ id: `scr_${nth}` }));
    const steps = Array.from({ length: 10 }, (_, nth) =>
      page(screens.slice(nth * 200, nth * 200 + 200), nth < 9 ? `after ${nth}` : null, nth < 9),
    );
    expect(await idsOf(...steps)).toEqual(screens.map(({ id }) => id));
    expect(paths()).toEqual([
      '/screens?limit=200',
      ...Array.from({ length: 9 }, (_, nth) => `/screens?limit=200&cursor=after%20${nth}`),
    ]);
  });

  it('ends after 100 pages without a record', async () => {
    let sent = 0;
    const empty: Step = (response, service) => {
      sent += 1;
      service.release(response, page([], `c${sent}`, true));
    };
    expect(await bench.clock.run(rejection(idsOf(empty)))).toMatchObject({
      name: 'ResponseError',
      code: 'unexpected_response',
      message:
        'List Screens is incomplete: the service sends 100 pages without a record. Report this to the Screen Advertising team.',
    });
    expect(sent).toBe(100);
  });
});

describe('items, from the second page on', () => {
  const first = page([{ id: 'a' }], 'c1', true);
  const second = page([{ id: 'b' }, { id: 'c' }], 'c2', true);

  it('fetches the next page while one is read, and none beyond it', async () => {
    const third = new Held();
    bench.service.on('GET /screens', first, second, third.step);
    const source = bench.client().items(list);
    await source.next();
    expect(await source.next()).toMatchObject({ value: { id: 'b' } });
    await bench.clock.settle();
    expect(paths()).toHaveLength(3);
    third.answer(page([{ id: 'd' }], 'c3', true));
    await bench.clock.settle();
    expect(await source.next()).toMatchObject({ value: { id: 'c' } });
    expect(paths()).toHaveLength(3);
    expect(await source.next()).toMatchObject({ value: { id: 'd' } });
    await source.return();
  });

  it('cancels the page ahead when the reader stops', async () => {
    bench.service.on('GET /screens', first, second, silence);
    for await (const { id } of bench.client().items(list)) {
      if (id === 'b') await bench.clock.settle();
      if (id === 'b') break;
    }
    await bench.clock.settle();
    expect(paths()).toHaveLength(3);
    expect(bench.service.held).toBe(0);
  });

  it('reports a failure of the page ahead only to a reader who gets there', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    bench.service.on('GET /screens', first, second, problem(400));
    const source = bench.client().items(list);
    await source.next();
    await source.next();
    await bench.clock.settle();
    expect(await source.next()).toMatchObject({ value: { id: 'c' } });
    expect(await rejection(source.next())).toMatchObject({ status: 400 });
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('the end of a list (section 2.3)', () => {
  const first = page([{ id: 'a' }], 'c1', true);

  it.each([
    ['null', null],
    ['absent', undefined],
    ['empty', ''],
    ['a new one', 'c2'],
  ])('is where has_more is false, and the cursor is %s', async (_what, cursor) => {
    expect(await idsOf(first, page([{ id: 'b' }], cursor, false))).toEqual(['a', 'b']);
    expect(bench.service.received).toHaveLength(2);
  });

  it('is not at empty pages with a new cursor', async () => {
    const empty = [page([], 'c2', true), page([], 'c3', true)];
    expect(await idsOf(first, ...empty, page([{ id: 'b' }], null, false))).toEqual(['a', 'b']);
  });

  it('is decided by the cursor alone when has_more is missing', async () => {
    const more = { body: { data: [{ id: 'a' }], pagination: { cursor: 'c1' } } };
    const last = { body: { data: [{ id: 'b' }], pagination: {} } };
    expect(await idsOf(more, last)).toEqual(['a', 'b']);
  });

  it('is reached with numeric cursors, even beyond 2^53', async () => {
    const big =
      '{"data":[{"id":"b"}],"pagination":{"cursor":12345678901234567890,"has_more":true}}';
    expect(await idsOf(page([{ id: 'a' }], 0, true), { body: big }, page([], null, false))).toEqual(
      ['a', 'b'],
    );
    expect(paths().slice(1)).toEqual([
      '/screens?limit=200&cursor=0',
      '/screens?limit=200&cursor=12345678901234567890',
    ]);
  });
});

describe('a list that reports more records but no cursor (section 2.3)', () => {
  const first = page([{ id: 'a' }], 'c1', true);
  const incomplete = {
    name: 'ResponseError',
    code: 'unexpected_response',
    operation: 'screen.list',
    isRetryable: false,
    message:
      'List Screens is incomplete: the service says there is more, but sends no new cursor. Report this to the Screen Advertising team.',
  };

  it.each([
    ['null', null],
    ['absent', undefined],
    ['empty', ''],
    ['the one before', 'c1'],
  ])('is an error after its records, not their end: %s', async (_what, cursor) => {
    bench.service.on('GET /screens', first, page([{ id: 'b' }], cursor, true));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { id } of bench.client().items(list)) seen.push(id);
    })();
    expect(await rejection(reading)).toMatchObject(incomplete);
    expect(seen).toEqual(['a', 'b']);
    expect(bench.service.received).toHaveLength(2);
  });

  it('is one that returns a cursor used long before', async () => {
    const steps = [first, page([], 'c2', true), page([], 'c3', true), page([], 'c1', true)];
    expect(await rejection(idsOf(...steps))).toMatchObject(incomplete);
    expect(bench.service.received).toHaveLength(4);
  });
});

describe('a list whose shape is not shown (section 4.10)', () => {
  const requests = [{ id: 'cr_1' }, { id: 'cr_2' }];
  const read = (client: Client) => collect(client.items(operations['campaignRequest.list']));

  it.each([
    ['bare', requests],
    ['under data', { data: requests }],
    ['with an empty pagination', { data: requests, pagination: null }],
    ['with pagination', { data: requests, pagination: { cursor: null, has_more: false } }],
  ])('is read %s', async (_what, body) => {
    bench.service.on('GET /campaign-requests', { body });
    expect(await read(bench.client())).toEqual(requests);
    expect(paths()).toEqual(['/campaign-requests']);
  });
});

describe('the pages of a list', () => {
  const first = page([{ id: 'a' }], 'c1', true);
  const second = page([{ id: 'b' }], null, false);

  it('are requested one by one, with the filters and the size of the call', async () => {
    bench.service.on('GET /screens', first, second);
    const pages = bench.client().screens.list({ city: 'Berlin', limit: 1 }).pages();
    expect(await pages.next()).toMatchObject({ value: { data: [{ id: 'a' }] }, done: false });
    expect(paths()).toEqual(['/screens?city=Berlin&limit=1']);
    expect(await pages.next()).toMatchObject({
      value: {
        data: [{ id: 'b' }],
        pagination: { cursor: null, has_more: false, total_count: 2000 },
      },
    });
    expect(await pages.next()).toMatchObject({ done: true });
    expect(paths()).toEqual([
      '/screens?city=Berlin&limit=1',
      '/screens?city=Berlin&limit=1&cursor=c1',
    ]);
  });

  it('begin with the page that was awaited', async () => {
    bench.service.on('GET /screens', first, second);
    const list = bench.client().screens.list();
    const awaited = await list;
    const [begin] = await collect(list.pages());
    expect(begin).toBe(awaited);
    expect(paths()).toEqual(['/screens', '/screens?cursor=c1']);
  });
});
