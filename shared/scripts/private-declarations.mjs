// Removes the declarations that no entry of the package leads to: no program can use them.
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const reached = new Set();

const follow = (file) => {
  if (reached.has(file) || !existsSync(file)) return;
  reached.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, to] of text.matchAll(/(?:from |import |import\()["'](\.\.?\/[^"']+)\.[jt]s["']/g)) {
    follow(join(dirname(file), `${to}.d.ts`));
  }
};

for (const { import: entry } of Object.values(exports)) {
  for (const file of globSync(entry.replace(/\.js$/, '.d.ts'))) follow(join(file));
}
for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', name);
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
