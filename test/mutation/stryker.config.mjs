import { part } from './parts.mjs';

/** Fails below the part's floor. Changes the sources in place and puts them back. */
export default {
  inPlace: true,
  packageManager: 'pnpm',
  plugins: [import.meta.resolve('@stryker-mutator/jest-runner')],
  testRunner: 'jest',
  jest: { configFile: 'test/mutation/jest.config.mjs', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  mutate: part.sources,
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `.cache/mutation/${part.name}.json`,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false },
  tempDirName: '.cache/mutation/tmp',
  concurrency: 2,
  // A busy machine must not count as a killed mutant.
  timeoutMS: 30_000,
  thresholds: { high: 95, low: 90, break: part.floor },
};
