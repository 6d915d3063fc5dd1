import { globSync } from 'node:fs';
import path from 'node:path';

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
  webhooks: { sources: ['shared/src/webhooks/*.ts'], tests: ['shared/webhooks'] },
  n8n: { sources: [`${n8n}/lib/**/*.ts`], tests: ['n8n'] },
  zapier: { sources: [`${zapier}/lib/*.ts`], tests: ['zapier'] },
  relay: {
    sources: [`${relay}/{ingress,sender,subscriptions}/*.ts`],
    tests: ['relay/ingress', 'relay/sender', 'relay/subscriptions'],
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

/** The same share of a part's files in every run, so that scores can be compared. */
function sampled(files) {
  const shuffled = files.toSorted((a, b) => rank(a) - rank(b));
  return shuffled.slice(0, Math.ceil(files.length * Number(share))).toSorted();
}

/** A number that spreads evenly over names (FNV-1a). */
function rank(text) {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

const { sources, tests } = parts[name];
const files = globSync(sources, { cwd: root }).map((file) => file.replaceAll(path.sep, '/'));

export const part = {
  name,
  /** How floors.json names it. */
  key: share === '1' ? name : `${name} (${share})`,
  sources: sampled(files),
  tests,
};
