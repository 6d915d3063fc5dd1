import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../structure/project.ts';
import { additions } from './extending-guide.ts';

/** Whether they also pass, the slow tests and the nightly proof find out. */
it.each(Object.entries(additions))('each diff of the guide for "%s" still applies', (_, pieces) => {
  const texts = pieces.map(({ path, change }) => {
    const file = join(root, path);
    return change(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  });
  expect(texts.length).toBeGreaterThan(3);
});
