import { describe, expect, it } from '@jest/globals';
import { type CallOptions, type Client, catalogue, type Operation } from '@screen-advertising/core';
import { exampleInput } from '../../support/example-input.ts';
import { useBench } from '../support/bench.ts';

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

  it('creates them once', () => {
    const client = bench.client();
    expect(client.coupons).toBe(client.coupons);
    expect(bench.client().coupons).not.toBe(client.coupons);
  });

  it('has readable names', () => {
    expect(methods.map(([name]) => name)).toEqual(
      expect.arrayContaining(['screens.list', 'coupons.create', 'campaignRequests.get']),
    );
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

  it('has the types of its operation', () => {
    type Input = Parameters<Client['coupons']['create']>[0];
    type Coupon = Awaited<ReturnType<Client['coupons']['create']>>;
    // The compiler refuses any other value, even when a field has an unknown type.
    const isNumber: Input['discount_value'] extends number ? true : false = true;
    const isText: NonNullable<Coupon['code']> extends string ? true : false = true;
    expect([isNumber, isText]).toEqual([true, true]);
  });
});
