import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Fields, openWorld } from './chains/world.ts';
import type { PlacedPart } from './definition-lint/definition.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.service.close());

const paths = (value: unknown, path: readonly string[] = []): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => paths(inner, [...path, name]))
    : [path.join('__')];

const has = (record: Fields, path: string): boolean => {
  const names = path.split('__');
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>((value, name) => (value as Fields)?.[name], record);
  return typeof holder === 'object' && holder !== null && last in holder;
};

/** The specification shows no fields of coupons, campaign requests and events. */
const sparse = {
  id: 'id_1',
  status: 'rejected',
  latitude: 0,
  longitude: 0,
  available_sov_pct: 50,
  url: 'https://links.example/1',
};

describe('a live record of a service that sends as little as it may', () => {
  it('has every field of the sample, and every field that the step declares', async () => {
    const missing: string[] = [];
    const check = async (part: PlacedPart): Promise<void> => {
      const record = await world.output(part, sparse);
      const { sample = {}, outputFields = [] } = part.operation;
      const declared = outputFields.map(({ key }) => key);
      const promised = [...paths(sample), ...declared];
      missing.push(
        ...promised.filter((path) => !has(record, path)).map((path) => `${part.place} ${path}`),
      );
    };
    for (const part of world.parts) await check(part);
    expect(world.parts.length).toBeGreaterThan(15);
    expect([...new Set(missing)]).toEqual([]);
  });

  it('names the ID of a screen once', async () => {
    const part = world.parts.find(({ key }) => key === 'find_available_screens') as PlacedPart;
    const record = await world.output(part, { ...sparse, id: 'scr_1' });
    expect(record).toMatchObject({ screen_id: 'scr_1' });
    expect(record.screen).not.toHaveProperty('id');
  });
});
