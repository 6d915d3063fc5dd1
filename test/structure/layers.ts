export interface Layer {
  readonly name: string;
  /** A folder, ending in a slash, or one file; the longest that fits a file is its layer. */
  readonly files: string;
  /** Folders, files and packages that it may import besides itself; `node:` is all of Node. */
  readonly mayImport: readonly string[];
}

const n8n = 'packages/n8n-nodes-screen-advertising/';
const zapier = 'packages/zapier-screen-advertising/';
const core = 'shared/src/';
const availability = `${core}availability/`;
const catalogue = `${core}catalogue/`;
const client = `${core}client/`;
const errors = `${core}errors/`;
const webhooks = `${core}webhooks/`;
const transport = `${core}transport/`;
const transportInterface = `${transport}transport.ts`;
const clock = `${core}clock.ts`;
const json = `${core}json.ts`;
const assumptions = `${core}assumptions.ts`;

/** What both platform packages see of the core: all of it but the undici transport. */
const coreForPlatforms = [
  availability,
  catalogue,
  client,
  errors,
  webhooks,
  transportInterface,
  `${transport}network-failure.ts`,
  `${transport}answer-body.ts`,
  clock,
  json,
  assumptions,
];

const buildTools = ['node:', 'esbuild', 'fflate'];

/** Every arrow between the layers of the project. What is not in this table is forbidden. */
export const layers: readonly Layer[] = [
  { name: 'assumptions', files: assumptions, mayImport: [] },
  { name: 'clock', files: clock, mayImport: [] },
  { name: 'JSON', files: json, mayImport: [] },
  { name: 'errors', files: errors, mayImport: [] },
  { name: 'catalogue', files: catalogue, mayImport: ['zod'] },
  { name: 'webhooks', files: webhooks, mayImport: [errors, json, 'node:crypto'] },
  { name: 'transport', files: transport, mayImport: [clock, errors] },
  {
    name: 'undici transport',
    files: `${transport}undici.ts`,
    mayImport: [clock, errors, transport, 'undici', 'node:events'],
  },
  { name: 'transport on Node', files: `${transport}node/`, mayImport: [transport, 'node:'] },
  {
    name: 'client',
    files: client,
    mayImport: [catalogue, errors, transportInterface, clock, json, 'zod'],
  },
  { name: 'availability', files: availability, mayImport: [catalogue, client, errors, 'zod'] },
  {
    name: 'command line',
    files: `${core}cli/`,
    mayImport: [catalogue, client, errors, json, `${transport}node/http.ts`, 'commander'],
  },
  { name: 'core', files: `${core}index.ts`, mayImport: coreForPlatforms },
  {
    name: 'sandbox',
    files: 'packages/sandbox/src/',
    mayImport: [
      catalogue,
      errors,
      webhooks,
      clock,
      json,
      assumptions,
      'hono',
      '@hono/node-server',
      'zod',
      'node:',
    ],
  },
  {
    name: 'n8n package',
    files: n8n,
    mayImport: [...coreForPlatforms, 'n8n-workflow', 'node:crypto'],
  },
  { name: 'n8n build', files: `${n8n}scripts/`, mayImport: buildTools },
  {
    name: 'Zapier package',
    files: zapier,
    mayImport: [
      ...coreForPlatforms,
      'zapier-platform-core',
      'node:crypto',
      'node:http',
      'node:https',
      'node:timers/promises',
    ],
  },
  { name: 'Zapier build', files: `${zapier}scripts/`, mayImport: [...buildTools, zapier] },
];

/** What would tie the core to one platform, or bring in a time nobody can move. */
export const globalsUnknownToCore: readonly string[] = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'queueMicrotask',
  'process',
  'globalThis',
  'global',
  'window',
  'self',
  'Buffer',
  'console',
  'fetch',
  'performance',
  'require',
];

/** Files and folders that stand for the platform themselves. */
export const mayNameGlobals: readonly string[] = [
  `${transport}undici.ts`,
  `${transport}node/`,
  `${transport}system-clock.ts`,
  `${core}cli/`,
];
