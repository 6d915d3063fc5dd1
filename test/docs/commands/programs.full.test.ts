import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultPort } from '../../../packages/sandbox/src/cli/arguments.ts';
import { start } from '../../sandbox/support/running-sandbox.ts';
import { root } from '../../structure/project.ts';
import { node, startProgram } from '../../support/program.ts';
import { allBlocks } from './typed.ts';

/** A block of a document: where it is, and the code that readers have before and after it. */
interface Example {
  readonly document: string;
  /** A text that only this block contains. */
  readonly holds: string;
  /** The code around it in a program. */
  readonly before?: string;
  readonly after?: string;
  readonly prints: RegExp;
}

const examples: readonly Example[] = [
  {
    document: 'shared/README.md',
    holds: 'client.screens.list({ city',
    prints: /^\[\n {2}'[^']+',\n[\s\S]*\]\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'client.coupons.create(',
    after: 'console.log(coupon.code);',
    prints: /^[\s\S]*Friedrichstraße [\s\S]*\nSPRING-15\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'onAttempt({',
    after: 'console.log(page.data.length, status, attempts, headers["content-type"]);',
    prints: /^screen\.list 1 200 \d\S* undefined\n\d+ 200 1 application\/json/,
  },
  {
    document: 'shared/README.md',
    holds: 'implements TokenStore',
    before: `
      import { mkdtemp, readdir } from 'node:fs/promises';
      import { clientCredentials, createClient } from '@screen-advertising/core';`,
    after: `
      const folder = await mkdtemp('tokens-');
      const store = new FileStore(folder);
      const client = createClient({
        baseUrl: 'https://service.example/api/v1',
        auth: clientCredentials({ clientId: '...', clientSecret: '...', store }),
      });
      const { data } = await client.screens.list({ limit: 1 });
      console.log(data.length, (await readdir(folder)).length);`,
    prints: /^1 1\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'findAvailableScreens(client',
    before: `
      import { clientCredentials, createClient } from '@screen-advertising/core';
      const client = createClient({
        baseUrl: 'https://service.example/api/v1',
        auth: clientCredentials({ clientId: '...', clientSecret: '...' }),
      });`,
    after: `
      console.log(screens[0]?.screen.city, screens[0]?.days, failures.length);
      console.log(changes.length, Object.keys(seen).length > 10);`,
    prints: /^Berlin 14 0\n0 true\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'nodeTransport({',
    before: `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { rootCertificates } from 'node:tls';
      import { apiKey, createClient } from '@screen-advertising/core';
      writeFileSync('ca.pem', rootCertificates[0] ?? '');
      const baseUrl = 'https://127.0.0.1:1/api/v1';
      const auth = apiKey('svc_sandbox_full_4f7d2c9a61');`,
    after: `
      await client.users.lookup({ email: 'a@example.com' }, { deadlineMs: 50 }).catch(({ code }) => console.log(code));`,
    prints: /^(network_error|timeout)\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'verifyRequest(request',
    before: `
      import { signWebhook } from '@screen-advertising/core';
      const secrets = ['sandbox-full-signing-secret'];
      const body = '{"type":"user.registered","data":{"user_id":"1"}}';
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = signWebhook({ body, secret: secrets[0] ?? '', timestamp });
      const headers = { 'x-service-signature': signature };
      const request = new Request('http://127.0.0.1/', { method: 'POST', body, headers });`,
    after: 'console.log(type, data, key.slice(0, 5));',
    prints: /^user.registered \{ user_id: '1' \} body:\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'verifyWebhook({',
    before: `
      import { once } from 'node:events';
      import type { AddressInfo } from 'node:net';
      import { signWebhook } from '@screen-advertising/core';`,
    after: `
      await once(server, 'listening');
      const url = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`;
      const body = '{"type":"user.registered","data":{"user_id":"1"}}';
      const timestamp = Math.floor(Date.now() / 1000);
      for (const secret of ['sandbox-full-signing-secret', 'another']) {
        const signature = signWebhook({ body, secret, timestamp });
        const headers = { 'x-service-signature': signature };
        console.log((await fetch(url, { method: 'POST', headers, body })).status);
      }
      server.close();
      server.closeAllConnections();`,
    prints: /^user.registered \{ user_id: '1' \}\n204\n401\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'createRelayClient(',
    before: `
      import { createServer } from 'node:http';
      import type { AddressInfo } from 'node:net';
      const subscription = { id: 'sub_1', state: 'active' };
      const list = { data: [], pagination: { cursor: null, has_more: false } };
      const server = createServer(({ method }, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(method === 'PUT' ? subscription : list));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const relayUrl = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`;
      const connectorKey = \`rly_\${'a'.repeat(43)}.whsec_\${'b'.repeat(43)}=\`;`,
    after: `
      console.log(id, state, data.length, pagination.has_more);
      server.close();`,
    prints: /^sub_1 active 0 false\n$/,
  },
  {
    document: 'packages/sandbox/README.md',
    holds: 'createSandbox(',
    after: 'console.log(access.apiKey, sandbox.deliveries.list().length);',
    prints: /^svc_\S+ 0\n$/,
  },
];

/** Programs that receive events: each gets one, and one that another secret signed. */
const receivers: readonly Example[] = (
  [
    ["from 'express'", "overHttp(app.listen(0, '127.0.0.1'))"],
    ["from 'fastify'", '(await app.listen(), overHttp(app.server))'],
    ["from 'hono'", '(request) => app.fetch(request)'],
    ['async function POST', 'POST'],
    ['async function handler', 'overLambda(handler)'],
    ['env: { SIGNING_SECRET', 'workerOf(import.meta.url)'],
  ] as const
).map(([holds, receiver]) => ({
  document: 'docs/code-recipes.md',
  holds,
  before: "const secrets = ['sandbox-full-signing-secret'];",
  after: `
    import { deliver, overHttp, overLambda, workerOf } from './receivers.ts';
    void deliver(${receiver});`,
  prints: /^user\.registered \{ user_id: '1' \}\n204\n401\n$/,
}));

const tests: readonly Example[] = ["from 'msw'", 'const responses = ['].map((holds) => ({
  document: 'docs/code-recipes.md',
  holds,
  prints: /^Main Street\n$/,
}));

const all = [...examples, ...receivers, ...tests];

/** Pieces of files rather than programs. test/docs/developing.full.test.ts tests them. */
const pieces = allBlocks.filter(({ document }) => document === 'docs/developing.md');

const programs = allBlocks.filter((block) => block.language === 'ts' && !pieces.includes(block));

/**
 * The port in the documents may be taken here, so connections to it are redirected to the test's
 * sandbox.
 */
const ports = `
  import { Socket } from 'node:net';
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...given) {
    for (const one of given.flat()) {
      if (one && String(one.port) === '${defaultPort}') one.port = process.env.PORT_OF_TEST;
    }
    return connect.apply(this, given);
  };
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'programs-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(join(root, 'test/node_modules'), join(folder, 'node_modules'));
  await symlink(join(root, 'node_modules/@types'), join(folder, '@types'));
  await writeFile(join(folder, 'ports.mjs'), ports);
  await copyFile(join(import.meta.dirname, 'receivers.ts'), join(folder, 'receivers.ts'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the programs in the documents', () => {
  it('all run', () => {
    expect(programs.map(({ document }) => document).sort()).toEqual(
      all.map(({ document }) => document).sort(),
    );
  });

  it('start, in the core, with one of at most six lines', () => {
    const [first] = programs.filter(({ document }) => document === 'shared/README.md');
    expect(first?.text).toContain('createClient({');
    expect(first?.text.trim().split('\n').length).toBeLessThanOrEqual(6);
  });

  it.each(all)(
    '$document, $holds',
    async ({ document, holds, before = '', after = '', prints }) => {
      const [block, ...others] = programs.filter(
        (one) => one.document === document && one.text.includes(holds),
      );
      expect(others).toEqual([]);
      const { baseUrl, full } = await start();
      const text = `${before}\n${block?.text}\n${after}\n`;
      const here = text
        .replace('https://service.example/api/v1', baseUrl)
        .replace("clientId: '...'", `clientId: '${full.clientId}'`)
        .replace("clientSecret: '...'", `clientSecret: '${full.clientSecret}'`)
        .replace("baseUrl: 'https://relay.example'", 'baseUrl: relayUrl')
        .replace('listen(9000', 'listen(0')
        .replace("connectorKey: 'rly_...'", 'connectorKey');
      const file = `${all.findIndex((one) => one.holds === holds)}.ts`;
      await writeFile(join(folder, file), here);

      const types = await startProgram(node, [tsc, '-p', await projectOf(file)]).ended;
      expect(types).toEqual({ code: 0, output: '', errors: '' });
      const ran = await startProgram(node, ['--conditions=source', '--import=./ports.mjs', file], {
        cwd: folder,
        env: { PORT_OF_TEST: new URL(baseUrl).port },
      }).ended;
      expect(ran).toMatchObject({ code: 0, errors: '' });
      expect(ran.output).toMatch(prints);
    },
  );
});

const tsc = join(root, 'node_modules/typescript/bin/tsc');

async function projectOf(file: string): Promise<string> {
  const path = join(folder, `${file}.json`);
  const compilerOptions = {
    typeRoots: [join(folder, '@types')],
    types: ['node'],
    noUnusedLocals: false,
  };
  const project = { extends: join(root, 'tsconfig.json'), compilerOptions, files: [file] };
  await writeFile(path, JSON.stringify(project));
  return path;
}
