/**
 * Mutation testing of what promises the most, on demand: `pnpm --filter @screen-advertising/test
 * run test:mutation`. The sources are changed in place and put back, so it wants a work tree that
 * nobody else uses.
 */
export default {
  inPlace: true,
  packageManager: 'pnpm',
  plugins: [import.meta.resolve('@stryker-mutator/jest-runner')],
  testRunner: 'jest',
  jest: { configFile: 'test/hostile/mutation.jest.config.mjs', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  mutate: [
    'shared/src/webhooks/*.ts',
    'shared/src/client/{retry,retry-after,budget,attempts,repair,token,shared-work,rate-limit,pages}.ts',
  ],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'test/.stryker/report.json' },
  tempDirName: 'test/.stryker/tmp',
  concurrency: 2,
  timeoutMS: 10_000,
  thresholds: { high: 95, low: 90, break: 90 },
};
