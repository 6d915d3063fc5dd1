import path from 'node:path';
import everyday from '../jest.config.mjs';
import { part } from './parts.mjs';

/** The tests that mutants must not survive: examples only, since random cases would kill by chance. */
export default {
  ...everyday,
  rootDir: '../..',
  testMatch: part.tests.flatMap((name) => [
    `**/test/${name}.test.ts`,
    `**/test/${name}/**/*.test.ts`,
  ]),
  testPathIgnorePatterns: [...everyday.testPathIgnorePatterns, '\\.property\\.test\\.ts$'],
  // Stryker requires the environment that it wraps, so it needs a path without Jest's tokens.
  testEnvironment: path.join(import.meta.dirname, '../jest.environment.ts'),
  // A mutant that leaves a test waiting is killed by this, and a busy machine is not.
  testTimeout: 60_000,
};
