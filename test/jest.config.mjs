import { globSync } from 'node:fs';
import { createRequire } from 'node:module';

// Packages that the MCP client imports, and packages whose own sources use the condition "source".
const { resolve } = createRequire(import.meta.url);
const ofMcpClient = createRequire(resolve('@modelcontextprotocol/client'));
const notFromSource = Object.fromEntries(
  ['eventsource', 'eventsource-parser', 'eventsource-parser/stream'].map((name) => [
    `^${name}$`,
    ofMcpClient.resolve(name),
  ]),
);

const root = new URL('..', import.meta.url).pathname;

const { TEST_TIER: tier = 'everyday', WATCH_SECRETS: watch = '' } = process.env;
const isEveryday = tier === 'everyday';
// All output of the tests is searched for secrets, and so are the sandbox's journals and the relay's log.
const isWatched = !isEveryday || watch !== '';

/** Not what is built from them. */
const sources = [
  'shared/src',
  ...globSync(['packages/*/src', 'packages/n8n-*/{nodes,lib,credentials}'], { cwd: root }),
];

const swc = (syntax) => [
  '@swc/jest',
  {
    jsc: { parser: { syntax }, target: 'es2023' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** Tests run against the sources: swc turns TypeScript into CommonJS, the condition "source" finds them. */
export default {
  rootDir: '..',
  // The sources are there for `--findRelatedTests`, which starts from one of them.
  roots: ['<rootDir>/test', ...sources.map((folder) => `<rootDir>/${folder}`)],
  resolver: '<rootDir>/test/jest.imports.cjs',
  dependencyExtractor: '<rootDir>/test/jest.imports.cjs',
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/e2e/',
    '<rootDir>/test/bench/',
    ...(isEveryday ? ['\\.slow\\.test\\.ts$'] : []),
  ],
  globalSetup: '<rootDir>/test/jest.begin.ts',
  globalTeardown: '<rootDir>/test/jest.end.ts',
  setupFiles: ['<rootDir>/test/jest.setup.ts'],
  setupFilesAfterEnv: [
    '<rootDir>/test/jest.chance.ts',
    '<rootDir>/test/jest.closing.ts',
    ...(isWatched ? ['<rootDir>/test/taint/install.ts'] : []),
  ],
  moduleNameMapper: {
    ...notFromSource,
    '^zapier-platform-schema$': '<rootDir>/test/zapier/app/lazy-schema.ts',
    ...(isWatched && {
      '^@screen-advertising/sandbox$': '<rootDir>/test/taint/sandbox.ts',
      '^@screen-advertising/relay$': '<rootDir>/test/taint/relay.ts',
    }),
  },
  testEnvironment: '<rootDir>/test/jest.environment.ts',
  // Only guards against hanging: no test waits for time to pass, and a busy machine is slow.
  testTimeout: { everyday: 120_000, full: 600_000 }[tier] ?? 7_200_000,
  maxWorkers: '100%',
  // Restarting a worker frees what n8n's engine leaves behind in it.
  workerIdleMemoryLimit: '1000MB',
  // On a busy machine, a worker with n8n's engine takes longer than the default 500 ms to exit, and
  // Jest then reports a leak. A worker with an open handle never exits, so it is still reported.
  workerGracefulExitTimeout: 30_000,
  coverageProvider: 'v8',
  coverageDirectory: `<rootDir>/.cache/coverage/${tier}`,
  coverageReporters: ['text-summary', 'json-summary', 'html'],
  collectCoverageFrom: [
    'shared/src/**/*.ts',
    'packages/*/src/**/*.ts',
    'packages/n8n-nodes-screen-advertising/{nodes,lib,credentials}/**/*.ts',
  ],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: [],
  transformIgnorePatterns: ['/node_modules/(?!\\.pnpm/|kysely/|zod/|undici/|fast-png/|iobuffer/)'],
  transform: {
    '^.+\\.[cm]?ts$': swc('typescript'),
    '/node_modules/(?:kysely|undici|zod)/.+\\.[cm]?js$': '<rootDir>/test/jest.once.cjs',
    // Published as ES modules only.
    '/node_modules/(?:fast-png|iobuffer)/.+\\.js$': swc('ecmascript'),
  },
};
