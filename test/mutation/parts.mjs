import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { keyOf } from './floors.mjs';

const root = path.join(import.meta.dirname, '../..');
const n8n = 'packages/n8n-nodes-screen-advertising';
const zapier = 'packages/zapier-screen-advertising/src';
const relay = 'packages/relay/src';

/** What promises the most: each part with the tests that are about it. */
const parts = {
  client: {
    sources: ['shared/src/client/*.ts', 'shared/src/catalogue/coupon-recovery.ts'],
    tests: ['shared/client', 'shared/transport'],
  },
  webhooks: {
    sources: ['shared/src/webhooks/*.ts'],
    tests: ['shared/webhooks', 'hostile/webhooks'],
  },
  n8n: { sources: [`${n8n}/lib/**/*.ts`], tests: ['n8n'] },
  zapier: { sources: [`${zapier}/lib/**/*.ts`], tests: ['zapier'] },
  relay: {
    sources: [`${relay}/{log/ingress,deliver,subscribe}/*.ts`],
    tests: ['relay/log/ingress', 'relay/deliver', 'relay/subscribe'],
  },
  sandbox: {
    sources: ['packages/sandbox/src/routes/*.ts'],
    tests: ['sandbox/routes', 'contract'],
  },
};

const { PART: name = '', SAMPLE: share = '1' } = process.env;
if (!Object.hasOwn(parts, name)) {
  throw new Error(`Name one of ${Object.keys(parts).join(', ')}; it is "${name}".`);
}

/**
 * The same share of a file's lines in every run, so that scores can be compared. The text of a line
 * decides, so lines added elsewhere change nothing.
 */
function sampled(file) {
  const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, nth) =>
    rank(`${file} ${line.trim()}`) < Number(share) ? [`${file}:${nth + 1}-${nth + 1}`] : [],
  );
}

/** A number from 0 to 1. */
function rank(text) {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

const { sources, tests } = parts[name];
const files = globSync(sources, { cwd: root }).map((file) => file.replaceAll(path.sep, '/'));

export const part = {
  name,
  /** How floors.json names it. */
  key: keyOf(name, share),
  sources: share === '1' ? files : files.toSorted().flatMap(sampled),
  tests,
};
