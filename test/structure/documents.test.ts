import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  brokenLinks,
  type Command,
  codeOf,
  linkedFiles,
  missingPaths,
  pnpmCommands,
} from './documents.ts';
import { projectFiles, read } from './project.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

const paths = projectFiles();
const documents = paths.filter((path) => path.endsWith('.md'));
const manifests = paths
  .filter((path) => posix.basename(path) === 'package.json')
  .map((path): Manifest => JSON.parse(read(path)));
const rootManifest: Manifest = JSON.parse(read('package.json'));

function exists({ package: name, script }: Command): boolean {
  const manifest = name ? manifests.find((candidate) => candidate.name === name) : rootManifest;
  return manifest?.scripts?.[script] !== undefined;
}

const unknown = (text: string) =>
  pnpmCommands(text)
    .filter((command) => !exists(command))
    .map((command) => command.text);

describe('the documents', () => {
  it.each(documents)('%s: every link inside the project leads somewhere', (path) => {
    expect(brokenLinks(path, read(path), paths, read)).toEqual([]);
  });

  it.each(documents)('%s: every path in backticks exists', (path) => {
    expect(missingPaths(read(path), paths)).toEqual([]);
  });

  it.each(documents)('%s: every command runs a script that exists', (path) => {
    expect(unknown(codeOf(read(path)))).toEqual([]);
  });

  it('show every picture', () => {
    const shown = new Set(documents.flatMap((path) => linkedFiles(path, read(path))));
    const pictures = paths.filter((path) => /^docs\/.*\.(?:png|gif|webm)$/.test(path));
    expect(pictures.length).toBeGreaterThan(10);
    expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
  });
});

describe('the scripts', () => {
  it.each(manifests)('of $name call scripts that exist', ({ scripts = {} }) => {
    expect(Object.values(scripts).flatMap(unknown)).toEqual([]);
  });

  it('of the continuous integration call scripts that exist', () => {
    const workflows = paths.filter((path) => /^\.github\/workflows\//.test(path));
    const files = ['.ci/run', ...workflows];
    const lines = files.map((file) => read(file).replace(/^#.*$/gm, ''));
    expect(lines.flatMap(unknown)).toEqual([]);
  });
});
