import './support/end-with-children.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { it } from 'node:test';
import { commandsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { root } from './support/paths.ts';

const [command] = commandsOf('n8n to look around in');

it(`${command?.text} opens n8n and a sandbox, and ends on Ctrl-C`, {
  timeout: 1_200_000,
}, async () => {
  const { folder, line } = scriptOf(String(command?.text));
  const cwd = path.join(root, folder);
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes('Stop with Ctrl-C.')) break;
  }
  child.stdout.resume();
  const [n8n, sandbox] = [/n8n {7}(\S+)/, /Sandbox {3}(\S+)/].map(
    (line) => line.exec(printed)?.[1],
  );
  assert.equal((await fetch(`${n8n}/healthz`)).status, 200, printed);
  assert.equal((await fetch(`${sandbox}/`)).status, 200, printed);
  child.kill('SIGINT');
  assert.equal(await ended, 0);
});
