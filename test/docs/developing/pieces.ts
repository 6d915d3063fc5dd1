import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Block } from '../commands/typed.ts';

/** What a guide says to write into one file. */
export interface Piece {
  readonly path: string;
  /** Returns the new content of the file for its old content, which is undefined for a new file. */
  readonly change: (text: string | undefined) => string;
}

/** Whole files start with a comment that names their path, patches with `+++` and the path. */
export function pieceOf({ language, text }: Block): Piece | undefined {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const path = /^(?:\/\/|\+\+\+) (\S+\.ts)$/.exec(head)?.[1];
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
    const before = textOf(file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, change(before));
    return () => (before === undefined ? rmSync(file) : writeFileSync(file, before));
  });
  return () => {
    for (const back of undo) back();
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
