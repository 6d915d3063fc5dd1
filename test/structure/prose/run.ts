/**
 * Checks the prose of the project by the rules in words.ts and rules.ts. Paths in the arguments
 * narrow it down; `--count` gives numbers by rule, kind and file in place of the hits.
 */
import { projectFiles } from '../project.ts';
import { check, type Hit } from './check.ts';
import { textsOf } from './texts.ts';

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files = projectFiles().filter(
  (path) => paths.length === 0 || paths.some((start) => path.startsWith(start)),
);
const hits: Hit[] = [];
for (const text of files.flatMap((path) => textsOf(path))) hits.push(...(await check(text)));

const lines = process.argv.includes('--count')
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
