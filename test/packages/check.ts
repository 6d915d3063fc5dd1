/**
 * Packs what is published and uses it like a stranger: publint and are-the-types-wrong on the
 * packages for programs, then each package installed in an empty project. Needs the packages built.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryCore } from './consumers/core/index.ts';
import { tryByHand, tryN8nPackage } from './consumers/n8n-package.ts';
import { tryCommandLine, tryMcpServer, tryRelay, trySandbox } from './consumers/programs.ts';
import {
  checkForSecrets,
  lintForPrograms,
  lintForRegistry,
  pack,
  unpackedSize,
} from './tarball.ts';

const folder = mkdtempSync(join(tmpdir(), 'packages-'));
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const core = pack('shared', folder);
  const cli = pack('packages/cli', folder);
  const mcp = pack('packages/mcp', folder);
  const pageKit = pack('packages/page-kit', folder);
  const sandbox = pack('packages/sandbox', folder);
  const relay = pack('packages/relay', folder);
  const n8nPackage = pack('packages/n8n-nodes-screen-advertising', folder);
  for (const tarball of [core, pageKit, relay, sandbox]) {
    lintForPrograms(tarball);
    say(`publint and are-the-types-wrong find nothing in ${tarball.name}.`);
  }
  for (const tarball of [core, cli, mcp, pageKit, relay, sandbox, n8nPackage])
    lintForRegistry(tarball);
  say('Each could be published as it is.');
  say(`The core is ${unpackedSize(core)} bytes unpacked.`);
  // The sandbox includes demo credentials. The Zapier app's tests search its bundles.
  for (const tarball of [core, cli, mcp, pageKit, relay, n8nPackage]) {
    checkForSecrets(tarball);
    say(`No secret is in ${tarball.name}.`);
  }
  for await (const consumer of tryCore(folder, [core, pageKit, sandbox]))
    say(`The core works with ${consumer}.`);
  tryCommandLine(folder, core, cli);
  say('The command line installs and runs in an empty project.');
  tryMcpServer(folder, core, mcp);
  say('The MCP server installs and lists its tools in an empty project.');
  trySandbox(folder, [core, pageKit, sandbox]);
  say('The sandbox installs, compiles, and its command starts in an empty project.');
  tryRelay(folder, [core, pageKit, relay]);
  say('The relay installs, compiles, and starts with its own PostgreSQL in an empty project.');
  tryN8nPackage(folder, n8nPackage);
  say('The n8n package installs alone, and every node and credential loads.');
  tryByHand(folder, n8nPackage);
  say('The n8n package is installed by hand as the documents tell.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
