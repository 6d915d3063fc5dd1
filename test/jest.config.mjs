/** Tests run against the sources: swc turns TypeScript into CommonJS, the condition "source" finds them. */
export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/bench/'],
  setupFiles: ['<rootDir>/test/jest.setup.ts'],
  testEnvironment: 'node',
  // Nothing here waits for time to pass; a busy machine may still be slow.
  testTimeout: 60_000,
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: [],
  transform: {
    '^.+\\.[cm]?ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
};
