import { describe, expect, it } from '@jest/globals';
import { parseBaseUrl } from '@screen-advertising/core/platform';
import { startCommand } from '../../sandbox/support/command.ts';
import { read } from '../../structure/project.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { splitCommand } from './split-command.ts';

/** What the guide says about n8n in a container. */
const [section = ''] = /^### n8n in a container$[\s\S]*?(?=^##)/m.exec(read('docs/n8n.md')) ?? [];
const [, option = ''] = /Add `([^`]+)` to the command that starts the sandbox/.exec(section) ?? [];
const [, address = ''] = /The base URL is then `([^`]+)`/.exec(section) ?? [];
const baseUrl = parseBaseUrl(address);

describe('n8n in a container, as its guide starts it,', () => {
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
