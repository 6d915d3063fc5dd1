// Node.js takes `.js` for ES modules in this package: names the files in `dist/cjs` `.cjs`, and
// copies the declarations there, which are the same for both kinds of module. The texts of the
// declarations need not stand in the programs, too; what bundlers read there stays.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const rewrite = (from, to) => {
  const text = readFileSync(from, 'utf8');
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text.replace(/(["'])(\.\.?\/[^"'\n]*)\.[jt]s\1/g, '$1$2.cjs$1'));
};

for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', name);
  if (name.startsWith('cjs') && name.endsWith('.js')) {
    rewrite(file, file.replace(/\.js$/, '.cjs'));
    rmSync(file);
  } else if (name.endsWith('.d.ts')) {
    const program = join('dist/cjs', name.replace(/\.d\.ts$/, '.js'));
    // What is an ES module only has no program there, or no longer under this name.
    if (!existsSync(program) && !existsSync(program.replace(/\.js$/, '.cjs'))) continue;
    rewrite(file, join('dist/cjs', name.replace(/\.d\.ts$/, '.d.cts')));
  } else if (name.endsWith('.js')) {
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm, ''),
    );
  }
}
