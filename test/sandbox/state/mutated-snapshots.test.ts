import { expect, it, jest } from '@jest/globals';
import { surviveMutations } from '../support/mutated-snapshots.ts';

// A process of its own starts slowly on a busy machine.
jest.setTimeout(120_000);

it('a mutated snapshot is refused, or leaves a sandbox that answers everything', async () => {
  const { accepted, refused } = await surviveMutations(100, 20261122);
  expect(accepted).toBeGreaterThan(5);
  expect(refused).toBeGreaterThan(50);
});
