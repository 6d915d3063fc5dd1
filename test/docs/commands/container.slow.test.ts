import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseBaseUrl } from '@screen-advertising/core/platform';
import { loadAsCore, n8nContainer, n8nCore } from '../../n8n/n8n.ts';
import { startCommand } from '../../sandbox/support/command.ts';
import { read } from '../../structure/project.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { splitCommand } from './split-command.ts';

/** What the guide says about n8n in a container. */
const [section = ''] = /^### n8n in a container$[\s\S]*?(?=^##)/m.exec(read('docs/n8n.md')) ?? [];
const [command = ''] = /^docker run .*$/m.exec(section) ?? [];
const [program, verb, ...words] = splitCommand(command);
const given = (option: string) => words[words.indexOf(option) + 1]?.split(':') ?? [];
const [, option = ''] = /Add `([^`]+)` to the command that starts the sandbox/.exec(section) ?? [];
const [, address = ''] = /The base URL is then `([^`]+)`/.exec(section) ?? [];
const baseUrl = parseBaseUrl(address);

describe('n8n in a container, as its guide starts it,', () => {
  it('is published at the port that it listens on, and keeps its folder', () => {
    expect([program, verb]).toEqual(['docker', 'run']);
    const { GlobalConfig } = loadAsCore('@n8n/config') as {
      GlobalConfig: abstract new () => { readonly port: number };
    };
    expect(given('-p')).toEqual(['5678', String(n8nContainer.get(GlobalConfig).port)]);
    const [volume, folder = ''] = given('-v');
    const { n8nFolder } = n8nContainer.get(n8nCore.InstanceSettings);
    expect(volume).toBe('n8n_data');
    expect(folder).toBe(`/home/node/${path.basename(n8nFolder)}`);
    expect(words.at(-1)).toBe('docker.n8n.io/n8nio/n8n');
  });

  it('gives this machine the name that the base URL has', () => {
    expect(given('--add-host')).toEqual([new URL(baseUrl).hostname, 'host-gateway']);
    // Docker's own word for this machine, and the options that take no value.
    expect(words.filter((word) => word.startsWith('-'))).toEqual([
      '--rm',
      '-p',
      '-v',
      '--add-host',
    ]);
  });

  it('reaches the sandbox with the API key that the guide shows', async () => {
    const sandbox = startCommand(['--port', '0', ...splitCommand(option)]);
    const output = await sandbox.printed('Stop with Ctrl-C.');
    const [, said = ''] = /^From a container on this machine +(\S+)$/m.exec(output) ?? [];
    const { port } = new URL(said);
    expect(said).toBe(baseUrl.replace(':8787', `:${port}`));
    const [key = ''] = /svc_sandbox_full_\w+/.exec(read('docs/n8n.md')) ?? [];
    const headers = { host: new URL(baseUrl).host, authorization: `Bearer ${key}` };
    const url = `http://127.0.0.1:${port}/api/v1/screens`;
    expect(await sendRaw(url, { name: 'as from the container', method: 'GET', headers })).toBe(200);
  });
});
