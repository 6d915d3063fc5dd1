import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { projectFiles, read, root } from '../structure/project.ts';
import { type Block, blocksIn } from './commands/typed.ts';

const guide = read('docs/extending.md');
const piecesOf = (title: string) => {
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  return blocksIn('docs/extending.md', section).flatMap((block) => pieceOf(block) ?? []);
};

/** What the guide for developers says to write, by what it adds. */
export const additions = {
  field: piecesOf('Add a field'),
  amount: piecesOf('Add an amount of money'),
  operation: piecesOf('Add operations'),
  event: piecesOf('Add an event'),
  relay: piecesOf('Add an operation of the relay'),
};

/** What a guide says to write into one file. */
export interface Piece {
  readonly path: string;
  /** Returns the new content of the file for its old content, which is undefined for a new file. */
  readonly change: (text: string | undefined) => string;
}

/** Whole files start with a comment that names their path, patches with `+++` and the path. */
function pieceOf({ language, text }: Block): Piece | undefined {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const path = /^(?:\/\/|\+\+\+) (\S+\.(?:ts|json|md))$/.exec(head)?.[1];
  if (!path) return undefined;
  if (language === 'ts') return { path, change: () => `${lines.join('\n')}\n` };
  return { path, change: (before) => patched(path, before ?? '', lines) };
}

/** Changes in patch format, with `@@` between two places. */
function patched(path: string, before: string, lines: readonly string[]): string {
  return lines
    .join('\n')
    .split('\n@@\n')
    .reduce((text, place) => {
      const without = (mark: string): string =>
        place
          .split('\n')
          .filter((line) => !line.startsWith(mark))
          .map((line) => `${line.slice(1)}\n`)
          .join('');
      if (text.split(without('+')).length !== 2) {
        throw new Error(`${path} has not one place with: ${without('+')}`);
      }
      return text.replace(without('+'), () => without('-'));
    }, before);
}

/** Applies pieces to a project. Returns a function that restores its files. */
export function apply(project: string, pieces: readonly Piece[]): () => void {
  const undo = pieces.map(({ path, change }) => {
    const file = join(project, path);
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, change(before));
    return () => (before === undefined ? rmSync(file) : writeFileSync(file, before));
  });
  return () => {
    for (const back of undo) back();
  };
}

/**
 * Copies the project to a separate folder, where its packages import each other. Returns the
 * folder.
 */
export function copyProject(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'project-')));
  // In a copy, the diffs are applied already.
  const files = projectFiles().filter((path) => path !== 'test/docs/extending.test.ts');
  for (const path of files) cpSync(join(root, path), join(copy, path));
  // Tests ask git for the list of files.
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  for (const path of files.filter((file) => file.endsWith('package.json'))) {
    link(join(dirname(path), 'node_modules'), copy);
  }
  // Where pnpm looks up the licenses of packages.
  symlinkSync(join(root, 'node_modules/.pnpm'), join(copy, 'node_modules/.pnpm'));
  return copy;
}

/** Links every installed package separately, and the project's packages to their copies. */
function link(folder: string, copy: string): void {
  const from = join(root, folder);
  for (const name of globSync(['[!.@]*', '@*/*'], { cwd: from })) {
    const real = realpathSync(join(from, name));
    const inProject = relative(root, real);
    const isOwn = !inProject.startsWith('..') && !inProject.split(sep).includes('node_modules');
    const to = join(copy, folder, name);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(isOwn ? join(copy, inProject) : real, to);
  }
}
