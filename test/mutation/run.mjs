/** `run test:mutation PART [--sample 0.25]`: mutates a part, or the same share of its files each time. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: '1' } },
});
const root = path.join(import.meta.dirname, '../..');
const { resolve } = createRequire(import.meta.url);
const stryker = path.join(
  path.dirname(resolve('@stryker-mutator/core/package.json')),
  'bin/stryker.js',
);
const { status } = spawnSync(
  process.execPath,
  [stryker, 'run', 'test/mutation/stryker.config.mjs'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PART: positionals[0] ?? '',
      SAMPLE: values.sample,
      NODE_PATH: ['test/node_modules', 'node_modules/.pnpm/node_modules'].join(path.delimiter),
    },
  },
);
process.exitCode = status ?? 1;
