import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { projectFiles, read, root } from './project.ts';

/** They require only attribution. */
const allowed = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

type Packages = readonly { readonly name: string }[];

it('the licenses of everything that users install or get in a bundle allow its use', () => {
  const list = [
    'licenses',
    'list',
    '--prod',
    '--json',
    '--filter=./shared',
    '--filter=./packages/*',
  ];
  const listed = execFileSync('npx', ['-y', 'pnpm@12', ...list], { cwd: root, encoding: 'utf8' });
  const all = Object.entries<Packages>(JSON.parse(listed));
  const others = all.filter(([license]) => !allowed.has(license));
  const names = others.map(([license, found]) => [license, found.map(({ name }) => name)]);
  expect(Object.fromEntries(names)).toEqual({
    'Public Domain': ['json-metaschema'],
    '(MIT AND BSD-3-Clause)': ['sha.js'],
    // MIT, as its README says, and Zapier's own terms, for apps on Zapier.
    Unknown: ['urlsafe-base64', 'zapier-platform-core', 'zapier-platform-schema'],
  });
});

it('each published package names its own license', () => {
  const manifests = projectFiles()
    .filter((path) => /^(?:shared|packages\/[^/]+)\/package\.json$/.test(path))
    .map((path) => JSON.parse(read(path)));
  expect(manifests.length).toBeGreaterThan(7);
  expect(manifests.filter(({ license }) => license !== 'MIT')).toEqual([]);
});
