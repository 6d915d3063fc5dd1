import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { node, startProgram } from '../../../support/program.ts';

const main = path.resolve(__dirname, '../../../../packages/relay/src/run/cli/main.ts');

/** The relay, after 60 threads of its process began to wait for what never comes. */
const script = (pipe: string) => `
process.argv = [process.argv[0], 'relay', '--help'];
await import(${JSON.stringify(main)});
const { open, stat } = await import('node:fs');
for (let count = 0; count < 60; count += 1) open(${JSON.stringify(pipe)}, 'r', () => undefined);
stat('.', () => process.stdout.write('not held up'));`;

it('60 names whose name servers are silent leave threads for others', async () => {
  const pipe = path.join(mkdtempSync(path.join(tmpdir(), 'pipe-')), 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const args = ['--conditions=source', '--no-warnings', '--input-type=module', '-e', script(pipe)];
  const output = await startProgram(node, args).printed('not held up');
  expect(output).toContain('Usage: screen-advertising-relay');
});
