import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { emptyProject } from '../empty-project.ts';
import type { Tarball } from '../pack.ts';

const clientInfo = { name: 'check', version: '1' };
const messages = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
];

/** Lists the installed command's tools, like a client. The command exits when its input ends. */
export function tryMcpServer(folder: string, core: Tarball, mcp: Tarball): void {
  const project = emptyProject(folder, 'mcp-consumer', [core.file, mcp.file]);
  const command = join(project.folder, 'node_modules/.bin/screen-advertising-mcp');
  const ask = (args: readonly string[]) =>
    spawnSync(command, args, {
      input: messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''),
      encoding: 'utf8',
      env: {
        ...process.env,
        SCREEN_ADVERTISING_BASE_URL: 'https://service.example/api/v1',
        SCREEN_ADVERTISING_API_KEY: 'svc_check',
      },
    });
  const { stdout, stderr } = ask([]);
  if (!stdout.includes('"list_screens"')) throw new Error(`It said:\n${stdout}${stderr}`);
  const without = ask(['--with-sandbox']);
  if (!without.stderr.includes('the package @screen-advertising/sandbox. Install it')) {
    throw new Error(`Without a sandbox it said:\n${without.stderr}`);
  }
}
