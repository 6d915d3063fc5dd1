// Not every browser or bundler can import package.json, so a source file repeats its version.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const file = new URL('../src/client/version.ts', import.meta.url);
writeFileSync(file, readFileSync(file, 'utf8').replace(/'.*'/, `'${version}'`));
