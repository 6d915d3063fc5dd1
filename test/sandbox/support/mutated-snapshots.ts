import { join } from 'node:path';
import { expect } from '@jest/globals';
import { node, startProgram } from '../../support/program.ts';

const program = join(__dirname, 'program-of-mutated-snapshots.ts');

export interface Survived {
  readonly accepted: number;
  readonly refused: number;
  readonly requests: number;
}

/**
 * Restores this many mutated snapshots in a separate process and requests everything after each
 * accepted one. Fails with the number of the snapshot, the seed and the changes.
 */
export async function surviveMutations(runs: number, seed: number, first = 0): Promise<Survived> {
  const args = ['--conditions=source', '--no-warnings', program, runs, seed, first].map(String);
  const { code, output, errors } = await startProgram(node, args).ended;
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const { failures, ...survived } = JSON.parse(output);
  expect(failures).toEqual([]);
  expect(survived.accepted + survived.refused).toBe(runs);
  return survived;
}
