import { expect, it, jest } from '@jest/globals';

interface LruMapModule {
  LruMap: new (
    max?: number,
  ) => { get(key: string, make: () => object): object; forget(key: string): void };
}

/** Its sources are CommonJS to TypeScript, as n8n wants them, which these tests are not. */
const { LruMap } = jest.requireActual<LruMapModule>(
  '../../packages/n8n-nodes-screen-advertising/lib/lruMap.ts',
);

const make = () => ({});

it('keeps recent entries, and drops the least recently used one', () => {
  const kept = new LruMap(2);
  const [first, second] = [kept.get('first', make), kept.get('second', make)];
  expect(kept.get('first', make)).toBe(first);
  kept.get('third', make);
  expect(kept.get('first', make)).toBe(first);
  expect(kept.get('second', make)).not.toBe(second);
});

it('keeps a thousand by default', () => {
  const kept = new LruMap();
  const values = Array.from({ length: 1001 }, (_, index) => kept.get(String(index), make));
  expect(kept.get('1', make)).toBe(values[1]);
  expect(kept.get('0', make)).not.toBe(values[0]);
});

it('forgets an entry on request', () => {
  const kept = new LruMap();
  const value = kept.get('key', make);
  kept.forget('key');
  expect(kept.get('key', make)).not.toBe(value);
});
