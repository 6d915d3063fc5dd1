/**
 * Checks the prose of the project by the rules in words.ts and rules.ts, and its names by those in
 * names.ts, and fails on a hit. Paths
 * in the arguments narrow it down; `--count` prints numbers by rule, kind and file instead.
 */
import { projectFiles, read } from '../project.ts';
import { check, type Hit } from './check.ts';
import { nameHits } from './names.ts';
import { textsOf } from './texts.ts';

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isCount = process.argv.includes('--count');
const isIncluded = (file: string) =>
  paths.length === 0 || paths.some((path) => file.startsWith(path));

const files = projectFiles().filter(isIncluded);
const hits: Hit[] = files.flatMap((path) => nameHits(path, /\.m?ts$/.test(path) ? read(path) : ''));
for (const text of files.flatMap((path) => textsOf(path))) hits.push(...(await check(text)));

const lines = isCount
  ? [...counts('rule'), ...counts('kind'), ...counts('path')]
  : hits.map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`);
process.stdout.write([...lines, `prose: ${hits.length} hits`, ''].join('\n'));
process.exitCode = hits.length > 0 ? 1 : 0;

function counts(by: 'rule' | 'kind' | 'path'): string[] {
  const groups = Object.entries(Object.groupBy(hits, (hit) => hit[by]))
    .map(([name, group = []]) => [name, group.length] as const)
    .sort(([, left], [, right]) => right - left);
  return [`by ${by}:`, ...groups.map(([name, count]) => `${String(count).padStart(6)}  ${name}`)];
}
