import { afterAll, afterEach, beforeEach, expect, jest } from '@jest/globals';
import { hooks } from './support/closing.ts';

// A test whose assertions never run fails: those in a loop over an empty list, or in a catch block.
beforeEach(() => expect.hasAssertions());
beforeEach(hooks.beforeTest);
afterEach(hooks.afterTest);
// A spy lives as long as its test.
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(hooks.afterFile);
