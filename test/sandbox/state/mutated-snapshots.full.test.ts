import { expect, it, jest } from '@jest/globals';
import { surviveMutations } from '../support/mutated-snapshots.ts';

jest.setTimeout(1_800_000);

it('20,000 mutated snapshots: none ends the process, and none makes a route or a page fail', async () => {
  const { accepted, requests } = await surviveMutations(20_000, 14);
  expect(accepted).toBeGreaterThan(1000);
  expect(requests).toBeGreaterThan(50 * accepted);
});
