import { part } from './hostile/mutation.parts.mjs';

/**
 * Mutation testing of what promises the most, on demand and part by part: `MUTATE=token pnpm
 * --filter @screen-advertising/test run test:mutation`. The sources are changed in place and put
 * back, so it wants a work tree that nobody else uses.
 */
export default {
  inPlace: true,
  packageManager: 'pnpm',
  plugins: [import.meta.resolve('@stryker-mutator/jest-runner')],
  testRunner: 'jest',
  jest: { configFile: 'test/hostile/mutation.jest.config.mjs', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  mutate: part.sources,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: `test/.stryker/${part.name}.json` },
  tempDirName: 'test/.stryker/tmp',
  concurrency: 2,
  // A busy machine must not count as a killed mutant.
  timeoutMS: 30_000,
  thresholds: { high: 95, low: 90, break: 90 },
};
