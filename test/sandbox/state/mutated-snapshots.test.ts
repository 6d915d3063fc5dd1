import { expect, it, jest } from '@jest/globals';
import { surviveMutations } from '../support/mutated-snapshots.ts';

// A separate process starts slowly on a busy machine.
jest.setTimeout(120_000);

it('a mutated snapshot is rejected, or leaves a sandbox that responds to everything', async () => {
  const { accepted, refused } = await surviveMutations(100, 20261122);
  expect(accepted).toBeGreaterThan(5);
  expect(refused).toBeGreaterThan(50);
});
