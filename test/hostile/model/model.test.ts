import { fc } from '@fast-check/jest';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { cases, seed } from '../../support/tier.ts';
import { commands } from './commands.ts';
import { type Credentials, Stage } from './scene.ts';

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
