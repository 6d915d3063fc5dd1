import { parse } from '@babel/parser';
import { type Comment, type Node, traverseFast } from '@babel/types';
import { read } from '../project.ts';

/** A text that people read, and where it is. */
export interface Text {
  readonly path: string;
  readonly line: number;
  readonly kind: 'Markdown' | 'string' | 'help' | 'comment' | 'test name';
  readonly text: string;
}

/** Properties whose text a platform shows beside a field. */
const helpKeys = new Set(['description', 'helpText', 'hint']);
const testFunctions = new Set(['describe', 'it', 'test']);

/** Two words in a row; anything else is a name, a path or a format. */
const isProse = (text: string): boolean =>
  /[A-Za-z]{2,}[,;:]? [a-z]/.test(text) && !isCode.test(text);

/** SQL, style sheets and scripts kept as text. */
const isCode =
  /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM) |[;{]\n| AS (?:MATERIALIZED )?\(\n/;

type Found = Pick<Text, 'kind' | 'text'> & { readonly start: number };

/** Strings, comments and test names of a source. In tests only names and comments are prose. */
function textsOfSource(path: string, source: string): Text[] {
  const tree = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  const isTest = path.startsWith('test/');
  const found: Found[] = joined(tree.comments ?? [], source).map(({ value, start }) => ({
    kind: 'comment',
    text: value.replace(/^[ \t]*\*+ ?/gm, ''),
    start: start ?? 0,
  }));
  const seen = new Set<Node>();
  const add = (kind: Text['kind'], node: Node) => {
    if (seen.has(node)) return;
    const text = staticText(node, seen);
    if (text !== undefined && isProse(text)) found.push({ kind, text, start: node.start ?? 0 });
  };
  traverseFast(tree.program, (node) => {
    if (node.type === 'TaggedTemplateExpression') seen.add(node.quasi);
    else if (node.type === 'CallExpression' && testFunctions.has(nameOf(node.callee) ?? '')) {
      const [name] = node.arguments;
      if (name) add('test name', name);
    } else if (isTest) return;
    else if (node.type === 'ObjectProperty') {
      const isHelp = node.key.type === 'Identifier' && helpKeys.has(node.key.name);
      if (isHelp) add(isFormSource(path) ? 'help' : 'string', node.value);
    } else add('string', node);
  });
  return found.map(({ start, ...rest }) => ({ path, line: lineAt(source, start), ...rest }));
}

/** Comments, with those of neighboring lines as one. */
function joined(comments: readonly Comment[], source: string): Comment[] {
  const whole: Comment[] = [];
  for (const comment of comments) {
    const last = whole.at(-1);
    const between = source.slice(last?.end, comment.start);
    const isNext = last?.type === 'CommentLine' && /^\n[ \t]*$/.test(between);
    if (!isNext || comment.type !== 'CommentLine') whole.push({ ...comment });
    else Object.assign(last, { value: `${last.value}\n${comment.value}`, end: comment.end });
  }
  return whole;
}

/** Where a description becomes the help of a field in n8n and Zapier. */
const isFormSource = (path: string): boolean =>
  /^(?:shared\/src\/(?:catalogue|availability)|packages\/(?:n8n|zapier)[^/]*)\//.test(path);

/** The text that a piece of source always has, with `…` for what differs. */
function staticText(node: Node, seen: Set<Node>): string | undefined {
  if (node.type === 'StringLiteral') {
    seen.add(node);
    return node.value;
  }
  if (node.type === 'TemplateLiteral') {
    seen.add(node);
    return node.quasis.map(({ value }) => value.cooked ?? '').join('…');
  }
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    seen.add(node);
    const sides = [node.left, node.right].map((side) => staticText(side, seen));
    return sides.every((side) => side === undefined)
      ? undefined
      : sides.map((side) => side ?? '…').join('');
  }
  return undefined;
}

/** `it` for it(…) and it.each(…)(…). */
function nameOf(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return nameOf(callee.object);
  return callee.type === 'CallExpression' ? nameOf(callee.callee) : undefined;
}

const lineAt = (source: string, offset: number): number =>
  source.slice(0, offset).split('\n').length;

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
