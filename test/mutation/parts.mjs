import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const n8n = 'packages/n8n-nodes-screen-advertising';
const zapier = 'packages/zapier-screen-advertising/src';
const relay = 'packages/relay/src';

/**
 * What promises the most: each part with the tests that are about it, the share of its lines that is
 * changed, and the lowest score that passes, in percent. A floor only rises.
 */
const parts = {
  client: {
    sources: ['shared/src/client/*.ts', 'shared/src/catalogue/coupons.ts'],
    // The command line's tests read the access from the environment.
    tests: ['shared/client', 'shared/transport', 'cli/exit-code'],
    share: 0.1,
    floor: 90.3,
  },
  webhooks: {
    sources: ['shared/src/webhooks/*.ts'],
    tests: ['shared/webhooks', 'hostile/webhooks'],
    share: 0.2,
    floor: 86.3,
  },
  n8n: { sources: [`${n8n}/lib/**/*.ts`], tests: ['n8n'], share: 0.1, floor: 45.9 },
  zapier: { sources: [`${zapier}/lib/**/*.ts`], tests: ['zapier'], share: 0.1, floor: 73.2 },
  relay: {
    sources: [`${relay}/log/{ingress,store,verification}.ts`, `${relay}/{deliver,subscribe}/*.ts`],
    tests: ['relay/log', 'relay/deliver', 'relay/subscribe'],
    share: 0.05,
    floor: 69.3,
  },
  sandbox: {
    // The documents and the journal carry out no operation.
    sources: ['packages/sandbox/src/service/!(openapi|journal|service-exchange).ts'],
    tests: ['sandbox/service', 'sandbox/variants', 'contract'],
    share: 0.1,
    floor: 92.1,
  },
};

const { PART: name = '' } = process.env;
if (!Object.hasOwn(parts, name)) {
  throw new Error(`Set PART to one of ${Object.keys(parts).join(', ')}; it is "${name}".`);
}
const { sources, tests, share, floor } = parts[name];

/**
 * The same share of a file's lines in every run, so that scores can be compared. The text of a line
 * decides, so lines added elsewhere change nothing.
 */
function sampled(file) {
  const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, nth) =>
    rank(`${file} ${line.trim()}`) < share ? [`${file}:${nth + 1}-${nth + 1}`] : [],
  );
}

/** A number from 0 to 1. */
function rank(text) {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

const files = globSync(sources, { cwd: root }).map((file) => file.replaceAll(path.sep, '/'));

export const part = { name, sources: files.toSorted().flatMap(sampled), tests, floor };
