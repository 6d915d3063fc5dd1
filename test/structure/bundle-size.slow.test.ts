import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type BuildOptions, build } from 'esbuild';
import {
  bundlePackage,
  entryPoints,
} from '../../packages/n8n-nodes-screen-advertising/scripts/bundle.mts';
import { root } from './project.ts';

const limitBytes = 33.75 * 1024;

/** Everything that a connector imports from the core. */
const connector = `
  export { createClient, apiKey, clientCredentials, operations, events, verifyWebhook, ScreenAdvertisingError } from '@screen-advertising/core';
  export {
  compoundOperations,
  findAvailableScreens,
  findNearbyScreens,
  watchAvailability,
  sampleAvailabilityChange,
} from '@screen-advertising/core/availability';
  export { formFields, formText, recordFields } from '@screen-advertising/core/forms';
  export { platformAuth, parseBaseUrl, parseApiKey } from '@screen-advertising/core/platform';
  export { eventKey, createReplayMemory } from '@screen-advertising/core/webhooks';
`;

const withRelay = `${connector}
  export { createRelayClient } from '@screen-advertising/core/relay';
`;

async function bundled(contents: string, options: BuildOptions = {}) {
  const { outputFiles = [], metafile } = await build({
    stdin: { contents, resolveDir: join(root, 'test'), loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    conditions: ['source', 'no-default-transport'],
    logLevel: 'silent',
    ...options,
  });
  const [bundle] = outputFiles;
  const bytes = bundle ? gzipSync(bundle.contents, { level: 9 }).length : Number.NaN;
  return { bytes, files: Object.keys(metafile?.inputs ?? {}) };
}

describe('the core in the bundle of a connector', () => {
  it('is at most 33.75 KB gzipped, and includes no package but zod', async () => {
    const { bytes, files } = await bundled(connector);
    const packages = files.map(
      (path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/)?.[1] ?? 'core',
    );
    expect([...new Set(packages)].sort()).toEqual(['core', 'zod']);
    expect(bytes).toBeLessThanOrEqual(limitBytes);
  });

  it("includes the relay's client only if it is imported, for at most 3 KB more", async () => {
    const [without, withIt] = await Promise.all(
      [connector, withRelay].map((contents) => bundled(contents)),
    );
    const ofRelay = (path: string) => path.includes('shared/src/relay/');
    expect(without?.files.filter(ofRelay)).toEqual([]);
    expect(withIt?.files.filter(ofRelay)).not.toEqual([]);
    const bytes = (withIt?.bytes ?? Number.NaN) - (without?.bytes ?? Number.NaN);
    expect(bytes).toBeLessThanOrEqual(3072);
  });
});

describe('a program', () => {
  it.each([
    ['the client and an API key', 24.25, 'createClient, apiKey'],
    ['the client and client credentials', 26, 'createClient, clientCredentials'],
    ['verifySignature', 3.5, 'verifySignature'],
    ['verifyWebhook', 4.2, 'verifyWebhook'],
    ['verifyRequest', 4.6, 'verifyRequest'],
  ])('for a browser with %s is at most %d KB gzipped', async (_what, limitKb, names) => {
    const line = `export { ${names} } from '@screen-advertising/core';`;
    const { bytes } = await bundled(line, { platform: 'browser', conditions: ['source'] });
    expect(bytes).toBeLessThanOrEqual(limitKb * 1024);
  });
});

describe('the n8n package', () => {
  it('makes n8n load at most 64 KB when it starts: the descriptions', async () => {
    const files = await bundlePackage();
    const loaded = (await entryPoints()).map((entry) => files.get(`${entry}.js`) ?? '');
    expect(loaded).toHaveLength(7);
    expect(loaded.filter((text) => text === '')).toEqual([]);
    expect(loaded.join('').length).toBeLessThanOrEqual(64 * 1024);
  });

  it.each([
    ['an event', 'Triggers when a user you referred registers', 'ScreenAdvertisingTrigger'],
    ['a field', 'Only screens at most this far from Near', 'ScreenAdvertising'],
  ])('describes %s where n8n reads it, and not again in the core', async (_what, text, node) => {
    const files = await bundlePackage();
    expect(files.get(`nodes/${node}/${node}.node.js`)).toContain(text);
    expect(files.get('core.js')).toContain('Nothing was sent.');
    expect(files.get('core.js')).not.toContain(text);
  });

  it('holds no description of a field of a record, which no node reads', async () => {
    const files = await bundlePackage();
    expect(files.get('core.js')).not.toContain('When the coupon expires');
  });
});
