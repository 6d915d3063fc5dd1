const n8n = 'packages/n8n-nodes-screen-advertising/';
const n8nLib = `${n8n}lib/`;
const zapier = 'packages/zapier-screen-advertising/';
const core = 'shared/src/';
const transport = `${core}transport/`;

const catalogue = `${core}catalogue/`;
const client = `${core}client/`;
const createClient = `${core}create-client.ts`;
const forms = `${core}forms/`;
const operations = `${core}operations.ts`;
const types = `${core}types/`;
const webhooks = `${core}webhooks/`;
const root = `${core}index.ts`;

/** What every room of the core may import: stopping, time, JSON, errors. */
const ground = [...['abort', 'clock', 'json'].map((name) => `${core}${name}.ts`), `${core}errors/`];

/** Those of more than one request are made of these. */
const withClient = [...ground, catalogue, client, createClient, types, 'zod'];

const subpaths = `${core}subpaths/`;
const subpath = (name) => `${subpaths}${name}.ts`;
const forConnectors = [
  'availability',
  'lead-coupons',
  'forms',
  'platform',
  'qr-code',
  'relay',
  'webhooks',
].map(subpath);

const buildTools = ['node:', 'esbuild', 'fflate'];

const relay = 'packages/relay/src/';
const serverKit = ['index', 'pages'].map((name) => `packages/server-kit/src/${name}.ts`);
const outsideRelay = [
  ...serverKit,
  root,
  ...['platform', 'relay-contract', 'webhooks'].map(subpath),
  'commander',
  'hono',
  '@hono/node-server',
  'ipaddr.js',
  'kysely',
  'pg',
  'pg-connection-string',
  'pg-copy-streams',
  'pino',
  'prom-client',
  'undici',
  'zod',
  'node:',
];

/** Each room of the relay may import those before it, so no two import each other. */
const relayOrder = [
  'base/',
  'outbound/',
  'log/',
  'subscribe/',
  'deliver/',
  'operate/',
  'api/',
  'page/',
  'run/',
  'index.ts',
].map((part) => `${relay}${part}`);

const sandbox = 'packages/sandbox/src/';
const outsideSandbox = [
  ...serverKit,
  root,
  ...['contract', 'forms', 'qr-code', 'webhooks'].map(subpath),
  'commander',
  'hono',
  '@hono/node-server',
  'zod',
  'node:',
];

/** Each part of the sandbox may import those before it, too. */
const sandboxOrder = [
  'http/',
  'access/',
  'state/',
  'options.ts',
  'faults/',
  'service/',
  'webhooks/',
  'sandbox.ts',
  'inspector/',
  'create-sandbox.ts',
  'index.ts',
  'index.d.cts',
  'cli/',
].map((part) => `${sandbox}${part}`);

const inOrder = (parts, outside) =>
  Object.fromEntries(parts.map((part, nth) => [part, [...parts.slice(0, nth), ...outside]]));

/**
 * Who may import what, types included, besides what lies in its own layer. A layer is a folder
 * (ending in a slash) or a file; the longest that fits a file is its layer. `node:` is all of
 * Node.js. Which names the sandbox may take from the root of the core stands in biome.json.
 */
const layers = {
  [`${core}abort.ts`]: [],
  [`${core}clock.ts`]: [],
  [`${core}json.ts`]: [],
  [`${core}errors/`]: [],
  [`${core}assumptions/`]: [],
  [catalogue]: [...ground, 'zod'],
  [transport]: ground,
  [`${transport}node-transport.ts`]: [...ground, transport, `${transport}node/http-transport.ts`],
  [`${transport}undici-transport.ts`]: [
    ...ground,
    transport,
    `${transport}node/gzip-and-proxy.ts`,
    'undici',
  ],
  [`${transport}node/`]: [...ground, transport, 'node:'],
  // It knows no resource of the catalogue.
  [client]: [
    ...ground,
    `${catalogue}operation.ts`,
    `${transport}transport.ts`,
    `${transport}node/http-transport.ts`,
    'zod',
  ],
  [types]: [catalogue, client],
  [operations]: [catalogue, types],
  [createClient]: [...ground, catalogue, client, types, 'zod'],
  [webhooks]: [...ground, `${catalogue}events.ts`, types, 'node:crypto'],
  [forms]: withClient,
  [`${core}availability/`]: withClient,
  [`${core}qr-code/`]: [...withClient, 'lean-qr'],
  [`${core}coupons/`]: [...withClient, operations, forms, webhooks],
  // What relay and client share knows no client.
  [`${core}relay/contract/`]: [
    `${webhooks}webhook-event.ts`,
    ...['events', 'field-types', 'operation'].map((name) => `${catalogue}${name}.ts`),
    'zod',
  ],
  [`${core}relay/`]: [
    `${core}relay/contract/`,
    ...['events', 'field-types', 'operation'].map((name) => `${catalogue}${name}.ts`),
    client,
    ...ground,
    'zod',
  ],
  [root]: [...withClient, operations, webhooks, transport],
  // Each is a list of what a program may import.
  [subpaths]: [core],
  'packages/cli/src/': [
    root,
    ...['availability', 'contract', 'forms', 'lead-coupons', 'platform', 'qr-code', 'webhooks'].map(
      subpath,
    ),
    '@bomb.sh/tab',
    'commander',
    'csv-parse',
    'node:',
  ],
  'packages/mcp/src/': [
    root,
    ...['availability', 'forms', 'lead-coupons', 'platform', 'qr-code', 'relay'].map(subpath),
    'packages/sandbox/src/index.ts',
    '@hono/node-server',
    '@modelcontextprotocol/server',
    'node:',
  ],
  'packages/server-kit/src/': [
    'hono',
    '@hono/node-server',
    'idiomorph',
    'zod',
    'zod-openapi',
    'node:',
  ],
  ...inOrder(sandboxOrder, outsideSandbox),
  [relay]: outsideRelay,
  ...inOrder(relayOrder, outsideRelay),
  // Its folder, which is the last, may import it. Only where the sandbox is installed, and asked for.
  [`${relay}run/cli/`]: [...relayOrder, ...outsideRelay, 'packages/sandbox/src/index.ts'],
  [n8n]: [],
  [n8nLib]: [root, ...forConnectors, 'n8n-workflow', 'node:crypto', `${n8n}package.json`],
  [`${n8n}credentials/`]: [n8nLib, 'n8n-workflow'],
  // A folder each, so that no node imports another one.
  ...Object.fromEntries(
    ['', 'Trigger', 'PollingTrigger'].map((kind) => [
      `${n8n}nodes/ScreenAdvertising${kind}/`,
      [n8nLib, root, ...forConnectors, 'n8n-workflow', 'node:crypto'],
    ]),
  ),
  [`${n8n}scripts/`]: buildTools,
  [zapier]: [
    root,
    subpath('contract'),
    ...forConnectors,
    'zapier-platform-core',
    'node-fetch',
    'node:crypto',
    'node:http',
    'node:https',
    'node:timers/promises',
    'node:zlib',
  ],
  [`${zapier}scripts/`]: [...buildTools, zapier, 'zapier-platform-cli'],
  // They use what the tests have. No layer may import them.
  'packages/tools/': [
    'test/',
    core,
    'packages/',
    'n8n-workflow',
    'playwright-core',
    'zod',
    'node:',
  ],
};

const inFront = (path) => `^${path.replaceAll('.', '\\.')}`;

/** Where an import leads, as dependency-cruiser writes it. */
function targetOf(name) {
  if (name === 'node:') return '^[a-z_/]+$';
  if (name.startsWith('node:')) return `^${name.slice('node:'.length)}$`;
  return name.includes('/') && !name.startsWith('@')
    ? inFront(name)
    : `node_modules/(@types/)?${name}/`;
}

const names = Object.keys(layers);

const rules = Object.entries(layers).map(([layer, mayImport]) => {
  const deeper = names.filter((other) => other !== layer && other.startsWith(layer));
  const own = layer.endsWith('/') ? inFront(layer) : `${inFront(layer)}$`;
  const from = { path: own, ...(deeper.length > 0 && { pathNot: deeper.map(inFront) }) };
  // A layer inside of it is another one, unless it is named.
  const forbidden = deeper.filter((other) => !mayImport.includes(other)).map(inFront);
  const comment = `${layer} may import ${mayImport.join(', ') || 'nothing'} besides itself.`;
  return [
    {
      name: `layer ${layer}`,
      severity: 'error',
      comment,
      from,
      to: { pathNot: [own, ...mayImport.map(targetOf)] },
    },
    ...(forbidden.length > 0
      ? [{ name: `layer ${layer}`, severity: 'error', comment, from, to: { path: forbidden } }]
      : []),
  ];
});

/** Checked by `pnpm run lint`. */
export default {
  forbidden: [
    ...rules.flat(),
    {
      name: 'no circle',
      severity: 'error',
      comment: 'Files that import each other, types included, are one file.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no folders that import each other',
      severity: 'error',
      comment: 'Two folders of a package that import each other are one folder, or hide a third.',
      scope: 'folder',
      from: { path: '^(shared/src|packages/[^/]+)/.' },
      to: { circular: true },
    },
    ...[{ to: {} }, { to: {}, orphan: true }].map(({ to, ...which }) => ({
      name: 'in a layer',
      severity: 'error',
      comment: 'Every source file belongs to a layer of .dependency-cruiser.mjs.',
      from: { path: '^(shared|packages)/', pathNot: names.map(inFront), ...which },
      to,
    })),
    {
      name: 'resolved',
      severity: 'error',
      comment: 'An import must lead somewhere.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: ['node_modules', '^test/'] },
    exclude: { path: ['/(dist|build)/', '\\.mjs$'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'types', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
