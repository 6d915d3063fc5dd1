import { read } from '../project.ts';
import { lineAt, textsOfSource } from './sources.ts';

/** A text that people read, and where it is. */
export interface Text {
  readonly path: string;
  readonly line: number;
  readonly kind: 'Markdown' | 'string' | 'help' | 'comment' | 'test name';
  readonly text: string;
}

/** Members of JSON files that hold sentences: sticky notes of the recipes, descriptions. */
const jsonMembers = /"(?:content|notes|description)": ("(?:[^"\\]|\\.)*")/g;

/** This check's own table. */
const excluded = /^test\/structure\/prose/;

/** All texts of a file; none for a file that holds no prose. */
export function textsOf(path: string, source: string = read(path)): Text[] {
  if (excluded.test(path)) return [];
  if (path.endsWith('.md')) return [{ path, line: 1, kind: 'Markdown', text: source }];
  if (/\.m?ts$/.test(path)) return textsOfSource(path, source);
  if (!/(?:package|listing)\.json$|\/examples\/[^/]+\.json$/.test(path)) return [];
  return [...source.matchAll(jsonMembers)].map(({ index, 1: text = '""' }) => ({
    path,
    line: lineAt(source, index),
    kind: 'string' as const,
    text: JSON.parse(text) as string,
  }));
}
