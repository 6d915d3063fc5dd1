// Node.js takes `.js` for ES modules in this package: names the files in `dist/cjs` `.cjs`.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const endings = { '.js': '.cjs', '.js.map': '.cjs.map', '.d.ts': '.d.cts' };

for (const name of readdirSync('dist/cjs', { recursive: true })) {
  const ending = Object.keys(endings).find((one) => name.endsWith(one));
  if (!ending) continue;
  const file = join('dist/cjs', name);
  const text = readFileSync(file, 'utf8')
    .replace(/(["'])(\.\.?\/[^"'\n]*)\.[jt]s\1/g, '$1$2.cjs$1')
    .replace(/(?<=^\/\/# sourceMappingURL=.*)\.js\.map$/m, '.cjs.map');
  if (ending !== '.js.map') writeFileSync(file, text);
  renameSync(file, file.slice(0, -ending.length) + endings[ending]);
}
