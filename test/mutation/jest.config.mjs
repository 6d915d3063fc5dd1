import everyday from '../jest.config.mjs';
import { part } from './parts.mjs';

/** The tests that mutants must not survive: examples only, since random cases would kill by chance. */
export default {
  ...everyday,
  rootDir: '../..',
  roots: part.tests.map((folder) => `<rootDir>/test/${folder}`),
  testPathIgnorePatterns: [...everyday.testPathIgnorePatterns, '\\.property\\.test\\.ts$'],
  // Stryker wraps the environment, and finds no other one by its path in this project.
  testEnvironment: 'node',
  // A mutant that leaves a test waiting is killed by this, and a busy machine is not.
  testTimeout: 10_000,
};
