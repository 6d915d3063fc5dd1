import path from 'node:path';
import { expect } from '@jest/globals';
import { chanceOf } from './support/chance.ts';
import { seed } from './support/tier.ts';

// Waits chosen at random repeat in every run, and so does a failure. Each file has an order of its
// own, because names that libraries make up must differ between files.
Math.random = chanceOf(path.relative(__dirname, expect.getState().testPath ?? ''), seed);
