/**
 * Packs what is published and uses it like a stranger: publint and are-the-types-wrong on the
 * packages for programs, then each package installed in an empty project. Needs the packages built.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryCore } from './consumers/core/index.ts';
import { tryInstalls } from './consumers/core/installs.ts';
import { tryByHand, tryN8nPackage, tryPublicRepository } from './consumers/n8n-package.ts';
import { tryCommandLine, tryMcpServer, tryRelay, trySandbox } from './consumers/programs.ts';
import { shareOf } from './share.ts';
import { checkForSecrets, lintForPrograms, lintForRegistry, pack } from './tarball.ts';

const folder = mkdtempSync(join(tmpdir(), 'packages-'));
const say = (line: string) => process.stdout.write(`${line}\n`);

async function checkAll(): Promise<PromiseSettledResult<void>[]> {
  const [core, cli, mcp, serverKit, sandbox, relay, n8nPackage] = await Promise.all([
    pack('shared', folder),
    pack('packages/cli', folder),
    pack('packages/mcp', folder),
    pack('packages/server-kit', folder),
    pack('packages/sandbox', folder),
    pack('packages/relay', folder),
    pack('packages/n8n-nodes-screen-advertising', folder),
  ]);
  const all = [core, cli, mcp, serverKit, sandbox, relay, n8nPackage];

  const tarballs = async () => {
    for (const tarball of [core, serverKit, relay, sandbox]) await lintForPrograms(tarball);
    say('publint and are-the-types-wrong find nothing.');
    // The sandbox includes demo credentials. The Zapier app's tests search its bundles.
    for (const tarball of all) if (tarball !== sandbox) await checkForSecrets(tarball);
    say('No secret is in a package.');
    for (const tarball of all) {
      const bytes = await lintForRegistry(tarball);
      say(`${tarball.name} could be published as it is, with ${bytes} bytes.`);
      if (tarball === core && !(bytes < 1_000_000)) throw new Error('The core is too large.');
    }
  };
  const cores = async () => {
    for await (const consumer of tryCore(folder, core, [serverKit, sandbox]))
      say(`The core works with ${consumer}.`);
  };
  const installs = async () => {
    for await (const way of tryInstalls(folder, core)) say(`The core installs with ${way}.`);
  };
  const programs = async () => {
    await tryCommandLine(folder, core, cli);
    say('The command line installs and runs in an empty project.');
    await tryMcpServer(folder, core, mcp);
    say('The MCP server installs and lists its tools in an empty project.');
    await trySandbox(folder, [core, serverKit, sandbox]);
    say('The sandbox installs, compiles, and its command starts in an empty project.');
    await tryRelay(folder, [core, serverKit, relay]);
    say('The relay installs, compiles, and starts with its own PostgreSQL in an empty project.');
  };
  const nodes = async () => {
    await tryN8nPackage(folder, n8nPackage);
    say('The n8n package installs alone, and every node and credential loads.');
    await tryByHand(folder, n8nPackage);
    say('The n8n package is installed by hand as the documents tell.');
    // Takes a minute, so a quarter of the commits do.
    for (const ours of shareOf([n8nPackage])) {
      await tryPublicRepository(folder, core, ours);
      say('Its public repository installs, lints and builds alone, with the same result.');
    }
  };
  // Side by side, since much of the time is waiting for the registry.
  return Promise.allSettled([tarballs, cores, installs, programs, nodes].map((check) => check()));
}

try {
  const failed = (await checkAll()).filter(({ status }) => status === 'rejected');
  if (failed.length > 0)
    throw new AggregateError(failed.map((one) => 'reason' in one && one.reason));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
