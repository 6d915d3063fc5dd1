import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.join(__dirname, '../..');
const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const config = '.dependency-cruiser.mjs';

/** Runs dependency-cruiser on the tree in a folder. */
function cruise(folder: string): { status: number | null; stdout: string } {
  const args = [cruiser, '--config', config, 'shared/src', 'packages'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
  });
  if (stderr) throw new Error(stderr);
  return { status, stdout };
}

describe('the layers', () => {
  it('import only what .dependency-cruiser.mjs allows, without a cycle', () => {
    const { status, stdout } = cruise(root);
    expect(stdout).toContain('no dependency violations found');
    expect(status).toBe(0);
  });
});

function treeOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'layers-'));
  cpSync(path.join(root, config), path.join(folder, config));
  for (const [file, text] of Object.entries({ 'packages/cli/src/index.ts': '', ...files })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

describe('two folders that import each other are reported', () => {
  it('although no file is part of a cycle', () => {
    const { status, stdout } = cruise(
      treeOf({
        'shared/src/client/call.ts': "import '../errors/one.ts';",
        'shared/src/errors/one.ts': '',
        'packages/sandbox/src/http/listen.ts': "import '../faults/rule.ts';",
        'packages/sandbox/src/http/exchange.ts': '',
        'packages/sandbox/src/faults/apply.ts': "import '../http/exchange.ts';",
        'packages/sandbox/src/faults/rule.ts': '',
      }),
    );
    expect(status).not.toBe(0);
    const reported = [...stdout.matchAll(/error ([^:]*): (\S+)/g)].map(([, ...found]) => found);
    const rule = 'no folders that import each other';
    expect(reported.sort()).toEqual([
      [rule, 'packages/sandbox/src/faults'],
      [rule, 'packages/sandbox/src/http'],
    ]);
  });
});

describe('a forbidden import is reported', () => {
  const n8n = 'packages/n8n-nodes-screen-advertising';
  const zapier = 'packages/zapier-screen-advertising';
  const planted: Record<string, string> = {
    'shared/src/catalogue/package.ts': "import 'ky';",
    'shared/src/catalogue/client.ts': "import type { Client } from '../client/undici.ts';",
    'shared/src/catalogue/n8n.ts': "import 'n8n-workflow';",
    'shared/src/client/undici.ts': "import 'undici';",
    'shared/src/client/commander.ts': "import 'commander';",
    'shared/src/client/node.ts': "import 'node:crypto';",
    'shared/src/webhooks/node.ts': "import 'node:buffer';",
    'shared/src/client/n8n.ts': `import '../../../${n8n}/nodes/zapier';`,
    'shared/src/index.ts': "export * from './transport/undici.ts';",
    'shared/src/transport/undici.ts': 'export const transport = undefined;',
    'packages/cli/src/source.ts': "import '../../../shared/src/json.ts';",
    'packages/cli/src/zod.ts': "import 'zod';",
    'packages/mcp/src/source.ts': "import '../../../shared/src/json.ts';",
    'packages/sandbox/src/cli.ts': "import '@screen-advertising/cli';",
    'shared/src/outside.ts': 'export const layer = undefined;',
    'packages/relay/src/sandbox.ts': "import '@screen-advertising/sandbox';",
    'packages/relay/src/records/route.ts': "import type { ApiEnv } from '../api/route.ts';",
    'packages/relay/src/api/route.ts': "import '../records/check.ts';",
    'packages/relay/src/records/check.ts': 'export const check = undefined;',
    'packages/sandbox/src/relay.ts': "import '../../relay/src/index.ts';",
    'packages/sandbox/src/undici.ts': "import '../../../shared/src/transport/undici.ts';",
    [`${n8n}/nodes/ScreenAdvertising/trigger.ts`]: "import '../ScreenAdvertisingTrigger/sandbox';",
    [`${n8n}/nodes/ScreenAdvertisingTrigger/sandbox.ts`]: "import '@screen-advertising/sandbox';",
    [`${n8n}/credentials/node.ts`]: "import '../nodes/ScreenAdvertising/trigger';",
    [`${n8n}/lib/credential.ts`]: "import '../credentials/node';",
    [`${n8n}/nodes/sandbox.ts`]: "import '@screen-advertising/sandbox';",
    [`${n8n}/nodes/zapier.ts`]: "import 'zapier-platform-core';",
    [`${zapier}/src/n8n.ts`]: "const n8n = await import('n8n-workflow');",
    [`${zapier}/src/sandbox.ts`]: "const sandbox = require('@screen-advertising/sandbox');",
    'shared/src/errors/one.ts': "import type { Other } from './other.ts';",
    'shared/src/errors/other.ts': "import type { One } from './one.ts';",
  };

  it('from every layer into every other, and so is a cycle', () => {
    const { status, stdout } = cruise(treeOf(planted));
    expect(status).not.toBe(0);
    const reported = stdout.matchAll(/error (layer|in a layer|no circle)[^:]*: (\S+)/g);
    const found = new Set([...reported].map(([, , file]) => file));
    const allowed = [
      'shared/src/transport/undici.ts',
      'shared/src/errors/other.ts',
      'packages/relay/src/api/route.ts',
      'packages/relay/src/records/check.ts',
    ];
    expect([...found].sort()).toEqual(
      Object.keys(planted)
        .filter((file) => !allowed.includes(file))
        .sort(),
    );
  });
});
