import path from 'node:path';
import { expect } from '@jest/globals';
import { Random } from '../packages/sandbox/src/random.ts';
import { seed } from './support/tier.ts';

// Waits that are chosen at random come again in the same order, and so does a failure. Each file
// has an order of its own: names that libraries make up must differ between files.
const file = path.relative(__dirname, expect.getState().testPath ?? '');
const chance = new Random([...file].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed));
Math.random = () => chance.next();
