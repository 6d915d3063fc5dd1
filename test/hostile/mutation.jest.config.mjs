import everyday from '../jest.config.mjs';

/** The tests that mutants must not survive: examples only, since random cases would kill by chance. */
export default {
  ...everyday,
  rootDir: '../..',
  roots: ['<rootDir>/test/shared'],
  testPathIgnorePatterns: [...everyday.testPathIgnorePatterns, '\\.property\\.test\\.ts$'],
};
