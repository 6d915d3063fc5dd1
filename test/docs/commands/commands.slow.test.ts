import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parseBaseUrl } from '@screen-advertising/core/platform';
import { parse } from 'yaml';
import { defaultPort } from '../../../packages/sandbox/src/cli/program.ts';
import { startCommand } from '../../sandbox/support/command.ts';
import { start } from '../../sandbox/support/running-sandbox.ts';
import { read } from '../../structure/project.ts';
import { startProgram } from '../../support/program.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { commandsOf } from './kinds.ts';
import { splitCommand } from './split-command.ts';

const folder = temporaryFolder();
const calls = commandsOf('calls of a sandbox');

/** Sends what a call of curl would. The documents use these options alone. */
function curl(line: string, sandbox: string): Promise<Response> {
  const words = splitCommand(line);
  const after = (option: string): string[] =>
    words.filter((_word, index) => words[index - 1] === option);
  const [body] = after('-d');
  const url = String(words.findLast((word) => word.startsWith('http')));
  return fetch(url.replace(`http://127.0.0.1:${defaultPort}`, sandbox), {
    method: after('-X')[0] ?? (body === undefined ? 'GET' : 'POST'),
    headers: after('-H').map((header) => header.split(': ') as [string, string]),
    ...(body !== undefined && { body }),
  });
}

describe('a sandbox as the documents show it', () => {
  it.each(commandsOf('events of a sandbox'))('$document: $text', async ({ text }) => {
    const { url } = await start();
    const [, words = ''] = text.split(' run sandbox ');
    const port = ['--port', new URL(url).port];
    expect(await startCommand([...splitCommand(words), ...port]).ended).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Fired /),
    });
  });

  it.each([...new Set(calls.map(({ document }) => document))])(
    '%s: its calls work, one after the other',
    async (path) => {
      const { url } = await start();
      const shown = calls.filter(({ document }) => document === path);
      expect(shown).not.toEqual([]);
      for (const { text } of shown) {
        expect(`${(await curl(text, url)).status} ${text}`).toMatch(/^20[014] /);
      }
    },
  );
});

describe('the settings of the cluster', () => {
  it.each(commandsOf('settings of the cluster'))(
    '$document: the command writes every variable that compose.yaml takes',
    async ({ document, text }) => {
      const { code, errors } = await startProgram('bash', ['-c', text], { cwd: folder() }).ended;
      expect({ code, errors }).toEqual({ code: 0, errors: '' });

      const made = parseEnv(await readFile(join(folder(), '.env'), 'utf8'));
      const taken = JSON.stringify(parse(read(join(dirname(document), 'compose.yaml'))));
      const names = [...taken.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(made).sort()).toEqual([...new Set(names)].sort());
      expect(made.POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{32}$/);
      const key = made.N8N_ENCRYPTION_KEY ?? made.RELAY_SECRET_KEY;
      expect(key).toMatch(/^(?:[0-9a-f]{48}|[\w+/]{43}=)$/);
    },
  );
});

it('n8n in a container, as its guide starts it, reaches the sandbox with the API key that the guide shows', async () => {
  const guide = read('docs/n8n.md');
  const [section = ''] = /^### n8n in a container$[\s\S]*?(?=^##)/m.exec(guide) ?? [];
  const [, option = ''] =
    /Add `([^`]+)` to the command that starts the sandbox/.exec(section) ?? [];
  const [, address = ''] = /The base URL is then `([^`]+)`/.exec(section) ?? [];
  const baseUrl = parseBaseUrl(address);
  const sandbox = startCommand(['--port', '0', ...splitCommand(option)]);
  const output = await sandbox.printed('Stop with Ctrl-C.');
  const [, said = ''] = /^From a container on this machine +(\S+)$/m.exec(output) ?? [];
  const { port } = new URL(said);
  expect(said).toBe(baseUrl.replace(':8787', `:${port}`));
  const [key = ''] = /svc_sandbox_full_\w+/.exec(guide) ?? [];
  const headers = { host: new URL(baseUrl).host, authorization: `Bearer ${key}` };
  const url = `http://127.0.0.1:${port}/api/v1/screens`;
  expect(await sendRaw(url, { name: 'as from the container', method: 'GET', headers })).toBe(200);
});
