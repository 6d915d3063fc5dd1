/** `run test:mutation PART [--sample 0.1] [--record]`: mutates a part, or the same share of it each time. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { floors, keyOf, record } from './floors.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '1' },
    record: { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const key = keyOf(name, values.sample);
if (name !== '' && floors[key] === undefined && !values.record) {
  const known = Object.keys(floors).join(', ');
  process.stderr.write(
    `No floor recorded: ${key}. Recorded: ${known}. Add --record to measure it, and commit test/mutation/floors.json.\n`,
  );
  process.exit(1);
}

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
      PART: name,
      SAMPLE: values.sample,
      NODE_PATH: ['test/node_modules', 'node_modules/.pnpm/node_modules'].join(path.delimiter),
    },
  },
);
process.exitCode = status ?? 1;
if (values.record && status === 0)
  record(key, path.join(root, `.cache/mutation/${key}.report.json`));
