import { describe, expect, it } from '@jest/globals';
import { definitionOf } from '../app/definition.ts';
import { useService } from '../app/use-service.ts';
import { visiblePartsOf } from '../definition-lint/definition.ts';
import { kinds, nothing, table } from './sent.ts';

const service = useService();

/** The first request of a run, whatever becomes of it. */
async function sentBy(place: string, inputData: Readonly<Record<string, unknown>>) {
  const zapier = await service().connect();
  service().sandbox.journal.clear();
  await zapier.run(`${place}.operation.perform`, { inputData }).catch(() => undefined);
  const [first] = service().sandbox.journal.list();
  if (!first) return nothing;
  const { method, path, requestBody } = first;
  return [method, path.replace(/^\/api\/v1/, ''), requestBody].filter(Boolean).join(' ');
}

describe('what a step sends of the values that people map', () => {
  it('is written down for every step', async () => {
    const places = visiblePartsOf(await definitionOf('public')).map(({ place }) => place);
    expect(Object.keys(table).toSorted()).toEqual(places.toSorted());
  });

  const rows = Object.entries(table).flatMap(([place, byKind]) =>
    kinds.map((kind) => [place, kind, byKind[kind]] as const),
  );

  it.each(rows)('%s: %s', async (place, _kind, { given, sent }) => {
    expect(await sentBy(place, given)).toBe(sent);
  });
});
