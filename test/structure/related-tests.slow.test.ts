import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { node, startProgram } from '../support/program.ts';
import { root } from './project.ts';

const tests = join(root, 'test');

/** The tests that Jest finds for a source. */
async function related(source: string): Promise<string[]> {
  const jest = join(tests, 'node_modules/jest/bin/jest.js');
  const args = [jest, '--listTests', '--findRelatedTests', join(root, source)];
  const { output } = await startProgram(node, args, { cwd: tests }).ended;
  return output
    .split('\n')
    .filter((line) => line.startsWith(tests))
    .map((path) => path.slice(tests.length + 1));
}

it.each([
  ['shared/src/webhooks/replay-memory.ts', 'shared/webhooks/replay-memory.test.ts'],
  ['packages/n8n-nodes-screen-advertising/lib/listSearch.ts', 'field/n8n.test.ts'],
  ['packages/zapier-screen-advertising/src/dropdowns.ts', 'zapier/dropdowns.test.ts'],
  ['packages/relay/src/operate/sources.ts', 'relay/operate/sources.test.ts'],
])('from %s, Jest finds %s', async (source, test) => {
  expect(await related(source)).toContain(test);
});
