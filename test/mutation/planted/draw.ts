/**
 * `node draw.ts [SEED]`: draws the faults. Those listed stay while their source is the same; others
 * replace those that are gone or known as equivalent.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';
import type { Node } from '@babel/types';
import { Random } from '../../../packages/sandbox/src/random.ts';
import { projectFiles, root } from '../../structure/project.ts';
import { childrenOf } from '../../structure/syntax.ts';
import { type Fault, isThere, readList, writeList } from './fault.ts';
import { type Edit, kinds } from './kinds.ts';

/** Where they are drawn, and how many. */
const parts: Readonly<Record<string, readonly [pattern: RegExp, count: number]>> = {
  core: [/^shared\/src\/(?!types\/).*\.ts$/, 12],
  n8n: [/^packages\/n8n-[^/]+\/(?:lib|nodes|credentials)\/.*\.ts$/, 10],
  zapier: [/^packages\/zapier-[^/]+\/src\/.*\.ts$/, 10],
  relay: [/^packages\/relay\/src\/.*\.ts$/, 12],
  sandbox: [/^packages\/sandbox\/src\/.*\.ts$/, 6],
  cli: [/^packages\/cli\/src\/.*\.ts$/, 4],
  mcp: [/^packages\/mcp\/src\/.*\.ts$/, 4],
  'server-kit': [/^packages\/server-kit\/src\/.*\.ts$/, 2],
};

interface Place {
  readonly file: string;
  readonly source: string;
  readonly statement: Node;
}

const statementTypes = /^(Expression|Return|If|While|ForOf|Throw)Statement$|^VariableDeclaration$/;

function statementsIn(node: Node): Node[] {
  const inside = childrenOf(node).flatMap(statementsIn);
  return statementTypes.test(node.type) ? [node, ...inside] : inside;
}

function placesIn(pattern: RegExp): Place[] {
  const files = projectFiles().filter((file) => pattern.test(file));
  return files.flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
    return statementsIn(program).map((statement) => ({ file, source, statement }));
  });
}

/** The edit as whole lines, as many as it takes to find them once. */
function linesOf(source: string, { start, end, text }: Edit) {
  const last = source.indexOf('\n', end);
  let first = source.lastIndexOf('\n', start - 1) + 1;
  const before = () => source.slice(first, last);
  while (source.split(before()).length > 2) first = source.lastIndexOf('\n', first - 2) + 1;
  const after = `${source.slice(first, start)}${text}${source.slice(end, last)}`;
  const line = source.slice(0, start).split('\n').length;
  return { line, before: before(), after };
}

function drawnFrom(places: readonly Place[], random: Random, turn: number) {
  const place = places[random.integer(0, places.length - 1)];
  if (!place) return undefined;
  const { file, source, statement } = place;
  for (let nth = 0; nth < kinds.length; nth += 1) {
    const [kind = '', editsOf] = kinds[(turn + nth) % kinds.length] ?? [];
    const edits = editsOf?.(statement, source) ?? [];
    const edit = edits[random.integer(0, Math.max(0, edits.length - 1))];
    if (edit) return { kind, file, ...linesOf(source, edit) };
  }
  return undefined;
}

const list = readList();
const seed = Number(process.argv[2] ?? list.seed);
process.stdout.write(`Seed ${seed}\n`);
const sameness = ({ file, before, after }: Pick<Fault, 'file' | 'before' | 'after'>) =>
  `${file}\n${before}\n${after}`;
const partOf = ({ id }: Fault) => id.replace(/-\d+$/, '');

const drawn = Object.entries(parts).flatMap(([part, [pattern, count]]) => {
  const random = new Random(seed);
  const places = placesIn(pattern);
  const listed = seed === list.seed ? list.faults.filter((fault) => partOf(fault) === part) : [];
  const kept = listed.filter((fault) => isThere(fault, root));
  const faults = new Map(kept.map((fault) => [sameness(fault), fault]));
  let turn = Math.max(0, ...listed.map(({ id }) => Number(/\d+$/.exec(id))));
  for (let left = count - kept.filter(({ equivalent }) => !equivalent).length; left > 0; ) {
    const one = drawnFrom(places, random, turn);
    if (!one || faults.has(sameness(one))) continue;
    turn += 1;
    left -= 1;
    faults.set(sameness(one), { ...one, id: `${part}-${turn}` });
  }
  return [...faults.values()];
});
writeList({ seed, faults: drawn });
