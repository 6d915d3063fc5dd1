/**
 * Checks the prose of the project by the rules in words.ts and rules.ts. Fails for hits outside of
 * later.ts. Paths in the arguments narrow it down, and then every hit counts;
 * `--count` prints numbers by rule, kind and file in place of the hits.
 */
import { projectFiles } from '../project.ts';
import { check, type Hit } from './check.ts';
import { later } from './later.ts';
import { textsOf } from './texts.ts';

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isCount = process.argv.includes('--count');
const isIn = (places: readonly string[]) => (path: string) =>
  places.some((start) => path.startsWith(start));

const files = paths.length === 0 ? projectFiles() : projectFiles().filter(isIn(paths));
const all: Hit[] = [];
for (const text of files.flatMap((path) => textsOf(path))) all.push(...(await check(text)));

const isLater = ({ kind, path }: Hit) => isIn(later[kind])(path);
const everything = isCount || paths.length > 0;
const hits = everything ? all : all.filter((hit) => !isLater(hit));
const waiting = all.length - hits.length;

const lines = isCount
  ? [...counts('rule'), ...counts('kind'), ...counts('path')]
  : hits.map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`);
const rest = waiting > 0 ? `, and ${waiting} of the texts in later.ts` : '';
process.stdout.write([...lines, `prose: ${hits.length} hits${rest}`, ''].join('\n'));
process.exitCode = hits.length > 0 ? 1 : 0;

function counts(by: 'rule' | 'kind' | 'path'): string[] {
  const groups = Object.entries(Object.groupBy(hits, (hit) => hit[by]))
    .map(([name, group = []]) => [name, group.length] as const)
    .sort(([, left], [, right]) => right - left);
  return [`by ${by}:`, ...groups.map(([name, count]) => `${String(count).padStart(6)}  ${name}`)];
}
