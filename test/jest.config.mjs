/** Tests run against the sources: swc turns TypeScript into CommonJS, the condition "source" finds them. */
export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/bench/'],
  globalSetup: '<rootDir>/test/jest.begin.ts',
  globalTeardown: '<rootDir>/test/jest.end.ts',
  setupFiles: ['<rootDir>/test/jest.setup.ts'],
  // Whatever the tests bring to light is searched for secrets; the sandbox's journals, too.
  setupFilesAfterEnv: ['<rootDir>/test/taint/install.ts'],
  moduleNameMapper: { '^@screen-advertising/sandbox$': '<rootDir>/test/taint/sandbox.ts' },
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
