import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { CallOptions, Client, Operation } from '@screen-advertising/core';
import { catalogue } from '../../../shared/src/catalogue/index.ts';
import { exampleInput } from '../../support/example-input.ts';
import { key, useBench } from '../support/bench.ts';

type Method = (input?: object, options?: CallOptions) => Promise<unknown>;

const bench = useBench();
const methods = Object.entries(catalogue).flatMap(([group, operations]) =>
  Object.entries<Operation>(operations).map(
    ([action, operation]) => [`${group}.${action}`, operation] as const,
  ),
);

function methodOf(client: Client, name: string): Method {
  const [group, action] = name.split('.') as ['screens', 'list'];
  return client[group][action];
}

/** The route of a request as the service sees it: the method, and the path without a query. */
function routeOf({ method, path }: Operation, input: Record<string, unknown>): string {
  return `${method} ${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(input[name]))}`;
}

describe('a client has a method for every operation of the catalogue', () => {
  it.each(methods)('%s', async (name, operation) => {
    const input = exampleInput(operation);
    const route = routeOf(operation, input);
    bench.service.on(route, { body: { data: [] } });
    expect(await methodOf(bench.client(), name)(input)).toMatchObject({ data: [] });
    expect(bench.service.receivedFor(route)).toHaveLength(1);
  });

  it.each(methods)('%s takes a signal', async (name, operation) => {
    const reason = new Error('enough');
    const options = { signal: AbortSignal.abort(reason) };
    const call = methodOf(bench.client(), name)(exampleInput(operation), options);
    await expect(call).rejects.toBe(reason);
    expect(bench.service.received).toEqual([]);
  });

  it('shows them when it is printed or copied, and no secret', () => {
    const client = bench.client();
    const printed = inspect(client);
    for (const [name] of methods) expect(printed).toContain(`${name.split('.')[1]}: [Function`);
    expect(printed).not.toContain(key);
    expect(Object.keys({ ...client })).toEqual(expect.arrayContaining(Object.keys(catalogue)));
  });

  it('lists without filters', async () => {
    bench.service.on('GET /screens', { body: { data: [] } });
    bench.service.on('GET /campaign-requests', { body: [] });
    await bench.client().screens.list();
    await bench.client().campaignRequests.list();
    expect(bench.service.received.map(({ path }) => path)).toEqual([
      '/screens',
      '/campaign-requests',
    ]);
  });
});
