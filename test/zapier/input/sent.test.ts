import { describe, expect, it } from '@jest/globals';
import { definitionOf } from '../app/definition.ts';
import { status } from '../app/fault.ts';
import type { ZapierRunner } from '../app/runner.ts';
import { useService } from '../app/use-service.ts';
import { visiblePartsOf } from '../definition-lint/definition.ts';
import { kinds, nothing, table } from './sent.ts';

const service = useService();

/** The same for all steps: the seed's API key opens the sandbox after each reset. */
let connection: ZapierRunner | undefined;

/** The first request of a run, which stops there. */
async function sentBy(place: string, inputData: Readonly<Record<string, unknown>>) {
  connection ??= await service().connect();
  service().sandbox.journal.clear();
  service().sandbox.faults.add(status(400));
  await connection.run(`${place}.operation.perform`, { inputData }).catch(() => undefined);
  const [first] = service().sandbox.journal.list();
  if (!first) return nothing;
  const { method, path, requestBody } = first;
  return [method, path.replace(/^\/api\/v1/, ''), requestBody].filter(Boolean).join(' ');
}

describe('the values that people map and what a step sends of them', () => {
  it('are recorded for every step that has fields', async () => {
    const places = visiblePartsOf(await definitionOf('public'))
      .filter(({ operation }) => operation.inputFields?.length)
      .map(({ place }) => place);
    expect(Object.keys(table).toSorted()).toEqual(places.toSorted());
  });

  const rows = Object.entries(table).flatMap(([place, byKind]) =>
    kinds.map((kind) => [place, kind, byKind[kind]] as const),
  );

  it.each(rows)('%s: %s', async (place, _kind, { given, sent }) => {
    expect(await sentBy(place, given)).toBe(sent);
  });
});
