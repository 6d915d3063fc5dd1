import { expect, it } from '@jest/globals';
import { useBench } from '../support/bench.ts';

const bench = useBench();

it.each([
  ['once goes before those that wait since', 1, ['a', 'b', 'a', 'c']],
  ['twice lets the others go first', 2, ['a', 'b', 'a', 'c', 'a']],
])('a call that is refused %s', async (_what, times, order) => {
  const refused = Array(times).fill({ status: 429, headers: { 'retry-after': '2' } });
  bench.service.on('GET /screens/a', ...refused, { body: { id: 'a' } });
  for (const id of ['b', 'c']) bench.service.on(`GET /screens/${id}`, { body: { id } });
  const { screens } = bench.client({ rateLimit: { requests: 1, perMs: 1_000 } });
  await bench.clock.run(Promise.all(['a', 'b', 'c'].map((screenId) => screens.get({ screenId }))));
  expect(bench.service.received.map(({ path }) => path.split('/').at(-1))).toEqual(order);
});
