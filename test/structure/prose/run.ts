/** Checks the prose of the project, or below the given paths, by the rules in words.ts and rules.ts. */
import { projectFiles } from '../project.ts';
import { check, type Hit } from './check.ts';
import { textsOf } from './texts.ts';

const paths = process.argv.slice(2);
const files = projectFiles().filter(
  (file) => paths.length === 0 || paths.some((path) => file.startsWith(path)),
);
const hits: Hit[] = [];
for (const text of files.flatMap((path) => textsOf(path))) hits.push(...(await check(text)));

for (const { path, line, rule, message } of hits) {
  process.stdout.write(`${path}:${line} ${rule}: ${message}\n`);
}
process.stdout.write(`prose: ${hits.length} hits\n`);
process.exitCode = hits.length > 0 ? 1 : 0;
