import { describe, expect, it } from '@jest/globals';
import { importGraph } from './import-graph.ts';
import { layers } from './layers.ts';
import { projectFiles, read } from './project.ts';
import { forbiddenImports, importCircles, layerOf, namedGlobals } from './rules.ts';
import { readSourceFile } from './source-file.ts';
import { workspaceEntries } from './workspace-entries.ts';

const files = new Map(
  projectFiles()
    .filter((path) => /\.[cm]?ts$/.test(path))
    .map((path) => [path, readSourceFile(read(path))]),
);
const entries = workspaceEntries();
const graph = importGraph(files, entries);
const forbidden = forbiddenImports(graph, layers);

/** The same project with one more file. */
const planted = (path: string, text: string) =>
  importGraph(new Map(files).set(path, readSourceFile(text)), entries);

/** What a planted file adds to the forbidden imports. */
const addedBy = (path: string, text: string) =>
  forbiddenImports(planted(path, text), layers)
    .map(({ arrow }) => arrow)
    .filter((arrow) => arrow.startsWith(`${path} `));

describe('the layers', () => {
  it.each(layers)('$name ($files) imports at most $mayImport', ({ name }) => {
    expect(forbidden.filter(({ layer }) => layer === name)).toEqual([]);
  });

  it.each(layers)('$name ($files) exists', (layer) => {
    expect([...files.keys()].filter((path) => path.startsWith(layer.files))).not.toEqual([]);
  });

  it('hold every source file of the core and of the packages', () => {
    const outside = [...files.keys()].filter(
      (path) => /^(shared|packages)\//.test(path) && !layerOf(path, layers),
    );
    expect(outside).toEqual([]);
  });

  it('form no circle, and neither do the files in them', () => {
    expect(importCircles(graph)).toEqual([]);
  });

  it('leave time and platform to the transport: the core names no global of theirs', () => {
    expect(namedGlobals(graph)).toEqual([]);
  });
});

describe('a forbidden import is reported', () => {
  const n8n = 'packages/n8n-nodes-screen-advertising/nodes/planted.ts';
  const zapier = 'packages/zapier-screen-advertising/src/planted.ts';
  const sandbox = 'packages/sandbox/src/planted.ts';

  it.each([
    ['a further package in the core', 'shared/src/catalogue/planted.ts', "import 'ky';", 'ky'],
    ['undici in the client', 'shared/src/client/planted.ts', "import 'undici';", 'undici'],
    [
      'undici in the root of the core',
      'shared/src/index.ts',
      "export * from './transport/undici.ts';",
      'shared/src/transport/undici.ts',
    ],
    [
      'the command line in the root of the core',
      'shared/src/index.ts',
      "export * from './cli/run.ts';",
      'shared/src/cli/run.ts',
    ],
    ['commander in the client', 'shared/src/client/planted.ts', "import 'commander';", 'commander'],
    ['Node in the client', 'shared/src/client/planted.ts', "import 'node:crypto';", 'node:crypto'],
    [
      'more of Node in webhooks',
      'shared/src/webhooks/planted.ts',
      "import 'node:buffer';",
      'node:buffer',
    ],
    [
      'the client in the catalogue',
      'shared/src/catalogue/planted.ts',
      "import type { Client } from '../client/client.ts';",
      'shared/src/client/client.ts',
    ],
    [
      'the client in webhooks',
      'shared/src/webhooks/planted.ts',
      "type C = import('../client/client.ts').Client;",
      'shared/src/client/client.ts',
    ],
    [
      'the client in the sandbox',
      sandbox,
      "import { events, createClient } from '@screen-advertising/core';",
      'shared/src/client/client.ts',
    ],
    [
      'undici in the sandbox',
      sandbox,
      "import { undiciTransport } from '@screen-advertising/core/undici';",
      'shared/src/transport/undici.ts',
    ],
    [
      'the sandbox in n8n',
      n8n,
      "import { createSandbox } from '@screen-advertising/sandbox';",
      'packages/sandbox/src/',
    ],
    ['Zapier in n8n', n8n, "import 'zapier-platform-core';", 'zapier-platform-core'],
    [
      'the Zapier app in n8n',
      n8n,
      "import '../../zapier-screen-advertising/src/index';",
      'packages/zapier-screen-advertising/src/index.ts',
    ],
    ['n8n in Zapier', zapier, "const n8n = await import('n8n-workflow');", 'n8n-workflow'],
    [
      'the sandbox in Zapier',
      zapier,
      "const s = require('@screen-advertising/sandbox');",
      'packages/sandbox/src/',
    ],
    [
      'the sandbox in Zapier, for its effects alone',
      zapier,
      "import '@screen-advertising/sandbox';",
      'packages/sandbox/src/',
    ],
  ])('%s', (_name, path, line, target) => {
    const added = addedBy(path, line);
    expect(added).not.toEqual([]);
    expect(added.filter((arrow) => !arrow.startsWith(`${path} → ${target}`))).toEqual([]);
  });

  it('whole namespaces of the core in the sandbox', () => {
    expect(addedBy(sandbox, "import * as core from '@screen-advertising/core';")).toContain(
      `${sandbox} → shared/src/client/client.ts`,
    );
  });

  it('but not what the table allows', () => {
    expect(addedBy(sandbox, "import { signWebhook } from '@screen-advertising/core';")).toEqual([]);
    expect(addedBy(n8n, "import { createClient } from '@screen-advertising/core';")).toEqual([]);
  });
});

describe('a circle is reported', () => {
  it('of two files, also through types alone', () => {
    const line = "import type { ErrorCode } from './errors/problem.ts';";
    const back = "import type { Clock } from '../clock.ts';";
    const both = new Map(files)
      .set('shared/src/clock.ts', readSourceFile(line))
      .set('shared/src/errors/problem.ts', readSourceFile(back));
    const ring = 'shared/src/clock.ts → shared/src/errors/problem.ts → shared/src/clock.ts';
    const turned =
      'shared/src/errors/problem.ts → shared/src/clock.ts → shared/src/errors/problem.ts';
    const circles = importCircles(importGraph(both, entries));
    expect([ring, turned]).toContain(circles[0]);
    expect(circles).toHaveLength(1);
  });

  it('of a file with itself', () => {
    const path = 'shared/src/json.ts';
    expect(importCircles(planted(path, "import './json.ts';"))).toEqual([`${path} → ${path}`]);
  });
});

describe('a global in the core is reported', () => {
  it.each([
    ['setTimeout', 'setTimeout(() => {}, 1);'],
    ['process', 'const debug = process.env.DEBUG;'],
    ['globalThis', 'const timer = globalThis.setTimeout;'],
    ['Buffer', 'const bytes = Buffer.alloc(1);'],
  ])('%s', (name, line) => {
    const path = 'shared/src/client/planted.ts';
    expect(namedGlobals(planted(path, line))).toEqual([`${path}: ${name}`]);
  });

  it('but not a word in a comment, a text or a member of that name', () => {
    const line =
      "// process\nconst text = 'global'; const a = { process: 1 }; text.self(a.process);";
    expect(namedGlobals(planted('shared/src/client/planted.ts', line))).toEqual([]);
  });
});
