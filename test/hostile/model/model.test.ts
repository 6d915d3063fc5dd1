import { fc } from '@fast-check/jest';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { cases, seed } from '../../support/tier.ts';
import { burst, commands, create, get, revoke } from './commands.ts';
import { type Credentials, type Failure, Stage } from './scene.ts';

const runs = cases(5000);

// Chance in the client's pauses would make a failure impossible to play again.
beforeAll(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterAll(() => {
  jest.restoreAllMocks();
});

it(`keeps every promise over ${runs} sequences of commands with failures`, async () => {
  const stage = new Stage();
  let played = 0;
  const credentials = fc.constantFrom<Credentials>('API key', 'client credentials');
  await fc.assert(
    fc.asyncProperty(credentials, commands, async (kind, sequence) => {
      played += 1;
      await fc.asyncModelRun(() => ({ model: {}, real: stage.begin(kind) }), sequence);
    }),
    { numRuns: runs, seed, endOnFailure: false },
  );
  expect(played).toBe(runs);
});

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
