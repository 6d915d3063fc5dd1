import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from './project.ts';

interface Manifest {
  readonly name: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** They require only attribution. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
]);

/** Checked one by one: all of them are part of Zapier's platform, which the app runs on. */
const exceptions = new Map([
  ['zapier-platform-core', "Zapier's own terms, for apps on Zapier"],
  ['zapier-platform-schema', "Zapier's own terms, for apps on Zapier"],
  ['json-metaschema', 'public domain'],
  ['urlsafe-base64', 'MIT, as its README says'],
]);

/** What is published, and so what users install or get in a bundle. */
const published = [
  'shared',
  'packages/cli',
  'packages/mcp',
  'packages/server-kit',
  'packages/relay',
  'packages/sandbox',
  'packages/n8n-nodes-screen-advertising',
  'packages/zapier-screen-advertising',
];

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Where Node finds a package from this folder; undefined for a missing optional one. */
function folderOf(name: string, from: string): string | undefined {
  const here = join(from, 'node_modules', name);
  if (existsSync(join(here, 'package.json'))) return realpathSync(here);
  return from === dirname(from) ? undefined : folderOf(name, dirname(from));
}

/** All production dependencies of these folders, by folder. */
function dependenciesOf(folders: readonly string[]): Map<string, Manifest> {
  const found = new Map<string, Manifest>();
  const missing: string[] = [];
  const visit = (folder: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = folderOf(name, folder);
      if (!place && !(name in optionalDependencies)) missing.push(`${name} of ${folder}`);
      if (!place || found.has(place)) continue;
      found.set(place, manifestOf(place));
      visit(place);
    }
  };
  for (const folder of folders) visit(folder);
  expect(missing).toEqual([]);
  return found;
}

function isAllowed(licence: string): boolean {
  const choices = licence.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((one) => allowed.has(one)));
}

describe('licenses', () => {
  it('allow the use of everything that users install or get in a bundle', () => {
    const found = [...dependenciesOf(published.map((folder) => join(root, folder))).values()];
    const others = found.filter(
      ({ name, license = 'none' }) => !isAllowed(license) && !exceptions.has(name),
    );
    expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['zod', 'hono', 'zapier-platform-core']),
    );
  });

  it.each(published)('%s names its own', (folder) => {
    expect(manifestOf(join(root, folder)).license).toBe('MIT');
  });
});
