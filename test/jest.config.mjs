import { createRequire } from 'node:module';

// What the MCP client imports, and what exports sources of its own under the condition "source".
const { resolve } = createRequire(import.meta.url);
const ofMcpClient = createRequire(resolve('@modelcontextprotocol/client'));
const notFromSource = Object.fromEntries(
  ['eventsource', 'eventsource-parser', 'eventsource-parser/stream'].map((name) => [
    `^${name}$`,
    ofMcpClient.resolve(name),
  ]),
);

const { TEST_TIER: tier = 'everyday' } = process.env;
const isEveryday = tier === 'everyday';

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
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/e2e/',
    '<rootDir>/test/bench/',
    ...(isEveryday ? ['\\.full\\.test\\.ts$'] : []),
  ],
  globalSetup: '<rootDir>/test/jest.begin.ts',
  globalTeardown: '<rootDir>/test/jest.end.ts',
  setupFiles: ['<rootDir>/test/jest.setup.ts'],
  // Above the everyday tier, all that the tests bring to light is searched for secrets; so are the
  // sandbox's journals.
  setupFilesAfterEnv: [
    '<rootDir>/test/jest.chance.ts',
    ...(isEveryday ? [] : ['<rootDir>/test/taint/install.ts']),
  ],
  moduleNameMapper: {
    ...notFromSource,
    ...(!isEveryday && { '^@screen-advertising/sandbox$': '<rootDir>/test/taint/sandbox.ts' }),
  },
  testEnvironment: isEveryday ? '<rootDir>/test/jest.environment.ts' : 'node',
  // Only against hanging for ever: nothing here waits for time to pass, and a busy machine is slow.
  testTimeout: { everyday: 300_000, full: 1_800_000 }[tier] ?? 7_200_000,
  maxWorkers: '100%',
  // What n8n's engine leaves behind in a worker goes with it.
  workerIdleMemoryLimit: '1000MB',
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: [],
  transformIgnorePatterns: ['/node_modules/(?!\\.pnpm/|kysely/)'],
  transform: {
    '^.+\\.[cm]?ts$': swc('typescript'),
    // Published as ES modules only.
    '/node_modules/kysely/.+\\.js$': swc('ecmascript'),
  },
};
