import { fc } from '@fast-check/jest';
import { it } from '@jest/globals';
import { burst, create, get, revoke } from './commands.ts';
import type { Failure } from './failures.ts';
import { Stage } from './scene.ts';

const lead = 'one@example.com';
const refusals = (count: number): Failure[] => Array<Failure>(count).fill('401');

/** Sequences that broke a promise once. */
it.each([
  [
    'a coupon that was revoked is not given as the one just created',
    [create('A', lead, 20, []), revoke('A', []), create('A', lead, 20, ['none', '503 before'])],
  ],
  [
    'a service that refuses every token is not asked for more than it allows',
    [burst(20, refusals(40)), get('A', refusals(2)), get('B', refusals(2)), get('A', refusals(2))],
  ],
  [
    'tokens that are lost and refused in turn are not asked for more often than allowed',
    [
      create(undefined, lead, 10, ['lost after', '503 before', '503 after', 'lost before']),
      get('A', ['HTML']),
      burst(2, ['503 before', '429 for 7 s', '503 before', 'lost after']),
      create(undefined, lead, 10, ['401']),
    ],
  ],
])('%s', async (_promise, sequence) => {
  const stage = new Stage();
  await fc.asyncModelRun(() => ({ model: {}, real: stage.begin('client credentials') }), sequence);
});
