import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { node, startProgram } from '../support/program.ts';
import { sampleOf } from '../support/tier.ts';
import { additions, apply, copyProject } from './extending-guide.ts';

let project = '';
beforeAll(() => {
  project = copyProject();
}, 600_000);
afterAll(() => rmSync(project, { recursive: true }));

let undo = () => {};
afterEach(() => {
  undo();
  undo = () => {};
});

/** What a program in the copy prints. */
async function run(folder: string, ...args: string[]): Promise<string> {
  const cwd = join(project, folder);
  // The copy's packages stay out of the folder where this run keeps its own for all its tests. In it,
  // the copy's folders would have too long paths for the socket of a PostgreSQL.
  const env = { TEST_TIER: 'full', TEMPORARY_FOLDER_OF_TESTS: '', TMPDIR: '' };
  const { output, errors } = await startProgram(node, args, { cwd, env }).ended;
  return `${output}${errors}`;
}

/** The compiler's errors for packages of the copy; empty if there are none. */
async function typeErrors(...folders: string[]): Promise<string> {
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  const said: string[] = [];
  for (const folder of folders) said.push(await run(folder, tsc));
  return said.join('');
}

/** Writes the copy's documents, which says nothing if it works. */
const writeDocs = (...options: string[]) =>
  run('packages/tools', '--conditions=source', '--no-warnings', 'docs/write.ts', ...options);

/** The names of the copy's failing tests. */
async function failures(...paths: string[]): Promise<string[]> {
  const jest = join(project, 'test/node_modules/jest/bin/jest.js');
  const said = await run('test', jest, '-w', '1', '--json', '--testPathPatterns', ...paths);
  const { testResults } = JSON.parse(/^\{.*\}$/m.exec(said)?.[0] ?? '{}') as {
    testResults: { assertionResults: { status: string; fullName: string }[]; message: string }[];
  };
  const results = testResults.map(({ assertionResults, message }) =>
    assertionResults.length > 0
      ? assertionResults.filter(({ status }) => status !== 'passed').map((one) => one.fullName)
      : [message],
  );
  expect(results).toHaveLength(paths.length);
  return results.flat();
}

const packages = ['n8n-nodes-screen-advertising', 'zapier-screen-advertising', 'sandbox', 'mcp'];
const folders = ['shared', ...packages.map((name) => `packages/${name}`), 'test'];
const testsOfPlatforms = [
  'test/docs/hover-texts.test',
  'test/sandbox/openapi/document.test',
  'test/n8n/descriptions.test',
  'test/zapier/definition.test',
  'test/docs/n8n-schemas.slow.test',
];
const evaluate = ['--conditions=source', '--no-warnings', '--input-type=module', '-e'];

const keepCoupon = `
  import { createSandbox } from './src/index.ts';
  const stateFile = process.argv.at(-1);
  const first = createSandbox({ stateFile });
  const headers = {
    authorization: 'Bearer ' + first.accesses[0].apiKey,
    'content-type': 'application/json',
  };
  const coupon = { discount_type: 'percent', discount_value: 5, lead_email: 'lead@example.com' };
  const body = JSON.stringify({ ...coupon, code: 'A', note: 'Welcome' });
  const url = 'http://localhost/api/v1/coupons';
  await first.fetch(url, { method: 'POST', headers, body });
  await first.close();
  const second = createSandbox({ stateFile });
  second.restore(first.snapshot());
  const found = await second.fetch(url + '/A', { headers });
  console.log(JSON.stringify([await found.json()].map(({ code, note }) => ({ code, note }))));
`;

describe('adding a field as the guide for developers says', () => {
  it('brings it to every platform, the documents, and what the sandbox keeps', async () => {
    undo = apply(project, additions.field);
    const written = await writeDocs();
    const errors = await typeErrors(...folders);
    const file = join(project, 'state.json');
    const kept = await run('packages/sandbox', ...evaluate, keepCoupon, file);
    const failed = await failures('test/shared/catalogue/operations.test', ...testsOfPlatforms);
    expect({ errors, written, failed }).toEqual({ errors: '', written: '', failed: [] });
    expect(JSON.parse(kept)).toEqual([{ code: 'A', note: 'Welcome' }]);
  });
});

/** What the forms say of the field; then the request and the record of an amount of 25.50. */
const orderFor = `
  import { createSandbox } from '@screen-advertising/sandbox';
  import { leadCouponOperations } from '@screen-advertising/core/lead-coupons';
  import { shownFields } from '@screen-advertising/core/forms';
  import { Engine } from './n8n/engine.ts';
  import { createZapierRunner } from './zapier/app/zapier.ts';
  const sandbox = createSandbox();
  const { baseUrl } = await sandbox.listen();
  const [{ apiKey }] = sandbox.accesses;
  const coupon = { discount_type: 'percent', discount_value: 5 };
  const order = { min_order_cents: '25.50' };
  const engine = await Engine.start({ screenAdvertisingApi: { baseUrl, apiKey } });
  const { output } = await engine.runNode({
    type: 'screenAdvertising',
    name: 'Coupon',
    credentials: { screenAdvertisingApi: { id: 'screenAdvertisingApi', name: 'Account' } },
    parameters: {
      ...{ authentication: 'apiKey', resource: 'coupon', operation: 'create', ...coupon },
      ...{ lead_email: 'a@example.com', additionalFields: order },
    },
  });
  const zapier = createZapierRunner({ baseUrl, credentials: { apiKey } });
  const lead_email = 'b@example.com';
  const records = [
    output('Coupon')[0].json,
    await zapier.create('create_coupon', { ...coupon, ...order, lead_email }),
  ];
  const bodies = sandbox.journal.list().map(({ requestBody }) => JSON.parse(requestBody || '{}'));
  const field = shownFields(leadCouponOperations.create).find(({ name }) => name === 'min_order_cents');
  const amounts = ({ min_order, min_order_cents }) => [min_order, min_order_cents];
  process.stdout.write('\\n' + JSON.stringify([
    [field.title, field.description, field.example],
    bodies.filter(({ min_order_cents }) => min_order_cents).map(amounts),
    records.map(amounts),
  ]), () => process.exit());
`;

describe('adding an amount of money as the guide for developers says', () => {
  it('is the same in form, request and record, on both platforms', async () => {
    undo = apply(project, additions.amount);
    const said = await run('test', ...evaluate, orderFor);
    expect(JSON.parse(said.trim().split('\n').at(-1) ?? '')).toEqual([
      [
        'Minimum Order in Currency Units',
        'The least that an order must cost to redeem the coupon. In currency units, such as 25 or 12.50.',
        '25',
      ],
      // The requests of n8n and Zapier, and their records: units of currency beside cents.
      [
        [null, 2550],
        [null, 2550],
      ],
      [
        [25.5, 2550],
        [25.5, 2550],
      ],
    ]);
  });
});

const showRelay = `
  import { runCommandLine } from './src/run/cli/run.ts';
  import { openApiDocument } from './src/api/document.ts';
  let help = '';
  await runCommandLine(['--help'], { write: (text) => { help += text; }, environment: {} });
  console.log(help.includes('  subscriptions dead ID  '), '/api/v1/subscriptions/{id}/dead' in openApiDocument().paths);
`;

describe('adding an operation of the relay as the guide for developers says', () => {
  it('brings it to the API, the document and the command line, with its rights', async () => {
    undo = apply(project, additions.relay);
    const written = await writeDocs();
    const errors = await typeErrors('shared', 'packages/relay', 'test');
    const shown = await run('packages/relay', ...evaluate, showRelay);
    const api = 'test/relay/api';
    const failed = await failures(`${api}/responses.slow.test`, `${api}/rights.slow.test`);
    expect({ errors, written, failed }).toEqual({ errors: '', written: '', failed: [] });
    expect(shown).toBe('true true\n');
  });

  it('without its handler, the compiler names it', async () => {
    undo = apply(
      project,
      additions.relay.filter(({ path }) => !path.endsWith('handlers.ts')),
    );
    expect(await typeErrors('packages/relay')).toContain('subscriptions.dead');
  });
});

const listTools = `
  import { operationTools } from './src/operation-tool.ts';
  console.log(JSON.stringify(operationTools({}, () => '').map(({ name }) => name)));
`;
const all = [...additions.operation, ...additions.event];

/** The tests that fail without a row of theirs, or of a page. */
const testsOfRows: Readonly<Record<string, string>> = {
  'responses.test.ts': 'test/sandbox/openapi/responses.test',
  'tools.test.ts': 'test/mcp/tools.test',
  'definition.test.ts': 'test/zapier/definition.test',
  'README.md': 'test/sandbox/readme.test',
};

describe('adding operations and an event as the guide for developers says', () => {
  it('brings them to the client, the documents, both platforms and the MCP server', async () => {
    undo = apply(project, all);
    const written = await writeDocs();
    const errors = await typeErrors(...folders);
    const tools = await run('packages/mcp', ...evaluate, listTools);
    const failed = await failures('test/shared/client/client.test', ...testsOfPlatforms);
    expect({ errors, written, failed }).toEqual({ errors: '', written: '', failed: [] });
    expect(JSON.parse(tools)).toEqual(expect.arrayContaining(['get_campaign', 'cancel_campaign']));
  });

  it.each(sampleOf(all, 2))(
    'without $path the compiler or a test names what is missing',
    async (piece) => {
      undo = apply(
        project,
        all.filter((other) => other !== piece),
      );
      await writeDocs('--quick');
      const errors = await typeErrors('shared', 'packages/sandbox');
      const file = basename(piece.path);
      const ofRows = testsOfRows[file];
      const tests = ['test/shared/catalogue/operations.test', ...(ofRows ? [ofRows] : [])];
      const failed = await failures(...tests);
      // Of a scope or an event that is not listed, the compiler shows the value.
      const values: Readonly<Record<string, string>> = {
        'operation.ts': 'campaigns:write',
        'events.ts': 'campaign.ended',
        'responses.test.ts': 'cover all statuses of the document',
        'tools.test.ts': 'has every entry of the catalogue',
        'definition.test.ts': 'the fields that only Zapier has keep their labels',
        'README.md': 'the readme',
      };
      const missing = values[file] ?? file;
      expect([errors, ...failed].join('\n')).toContain(missing);
    },
  );
});
