// Node.js takes `.js` for ES modules in this package: names the files in `dist/cjs` `.cjs`, and
// copies the declarations there, which are the same for both kinds of module. Programs are written
// without comments and indents, a third of their size; what bundlers read in comments stays.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';

const rewrite = (from, to) => {
  const text = readFileSync(from, 'utf8');
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text.replace(/(["'])(\.\.?\/[^"'\n]*)\.[jt]s\1/g, '$1$2.cjs$1'));
};

const shorten = (file, options) => {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    minifyWhitespace: true,
    ...options,
  });
  writeFileSync(file, code);
};

for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', name);
  if (name.startsWith('cjs') && name.endsWith('.js')) {
    const program = file.replace(/\.js$/, '.cjs');
    rewrite(file, program);
    // Bundlers read the ES modules: what these say in fewer characters changes no bundle.
    shorten(program, { minifySyntax: true });
    rmSync(file);
  } else if (name.endsWith('.d.ts')) {
    const program = join('dist/cjs', name.replace(/\.d\.ts$/, '.js'));
    // What is an ES module only has no program there, or no longer under this name.
    if (!existsSync(program) && !existsSync(program.replace(/\.js$/, '.cjs'))) continue;
    rewrite(file, join('dist/cjs', name.replace(/\.d\.ts$/, '.d.cts')));
  } else if (name.endsWith('.js')) {
    shorten(file);
  }
}
