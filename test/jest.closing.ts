import { afterAll, afterEach, beforeEach } from '@jest/globals';
import { hooks } from './support/closing.ts';

beforeEach(hooks.beforeTest);
afterEach(hooks.afterTest);
afterAll(hooks.afterFile);
