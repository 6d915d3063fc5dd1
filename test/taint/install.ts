import { afterAll, afterEach, expect } from '@jest/globals';
import { watch } from './watch.ts';
import { watchErrors } from './watch-errors.ts';
import { watchOutput } from './watch-output.ts';

watchErrors(watch);
watchOutput(watch);

const noSecret = (): void => expect(watch.take()).toEqual([]);

afterEach(noSecret);
afterAll(noSecret);
