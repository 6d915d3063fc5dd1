import path from 'node:path';
import { expect } from '@jest/globals';
import { chanceOf } from './support/chance.ts';
import { seed } from './support/tier.ts';

// Random waits are the same in every run, and so is a failure. Each file has its own sequence,
// because names that libraries generate must differ between files.
Math.random = chanceOf(path.relative(__dirname, expect.getState().testPath ?? ''), seed);
