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

const client = `
  import { clientCredentials, createClient } from '@screen-advertising/core';
  const client = createClient({
    baseUrl: 'https://service.example/api/v1',
    auth: clientCredentials({ clientId: '...', clientSecret: '...' }),
  });`;

const core: readonly Example[] = [
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
    holds: "screenId: 'scr_unknown'",
    before: client,
    prints: /^not_found screen\.get 1 404 application\/problem\+json.*\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'fetchTransport({',
    before: `
      import { clientCredentials, createClient } from '@screen-advertising/core';
      const baseUrl = 'https://service.example/api/v1';
      const auth = clientCredentials({ clientId: '...', clientSecret: '...' });`,
    after: `
      console.log((await client.screens.list({ limit: 1 })).data.length);`,
    prints: /^1\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'findAvailableScreens(client',
    before: client,
    after: `
      console.log(screens[0]?.screen.city, screens[0]?.days, failures.length);
      console.log(changes.length, Object.keys(seen).length > 10);`,
    prints: /^Berlin 14 0\n0 true\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'findNearbyScreens(client',
    before: `
      import { findNearbyScreens } from '@screen-advertising/core/availability';${client}`,
    after: `
      console.log(screens.length > 0, (screens[0]?.distance_km ?? 9) <= 2, withoutCoordinates.length);`,
    prints: /^true true 0\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'drawQrCode(code',
    before: `
      import { readFileSync } from 'node:fs';
      import { writeFile } from 'node:fs/promises';
      import { operations } from '@screen-advertising/core';${client}`,
    after: `
      console.log(url.startsWith('http'), readFileSync('link.png').subarray(1, 4).toString());`,
    prints: /^true PNG\n$/,
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

/** Stores of tokens: two processes, of which the second needs no token request. */
const stores: readonly Example[] = (
  [
    ['function fileStore', "fileStore(await mkdtemp('tokens-'))"],
    ['redisStore: TokenStore', 'redisStore'],
  ] as const
).map(([holds, store]) => ({
  document: 'docs/code-recipes.md',
  holds,
  before: `
    import { mkdtemp } from 'node:fs/promises';
    import { clientCredentials, createClient as createCoreClient } from '@screen-advertising/core';
    import { startRedis } from './redis.ts';
    process.env.REDIS_URL = await startRedis();`,
  after: `
    const store = ${store};
    const startClient = () => createCoreClient({
      baseUrl: 'https://service.example/api/v1',
      auth: clientCredentials({ clientId: '...', clientSecret: '...', store: { ...store } }),
      onAttempt: ({ operation }) => console.log(operation),
    });
    await startClient().screens.list({ limit: 1 });
    await startClient().screens.list({ limit: 1 });
    process.exit();`,
  prints: /^token\nscreen.list\nscreen.list\n$/,
}));

const tests: readonly Example[] = ["from 'msw'", 'const responses = ['].map((holds) => ({
  document: 'docs/code-recipes.md',
  holds,
  prints: /^Main Street\n$/,
}));

/** Every program of the documents. */
export const examples = [...core, ...receivers, ...stores, ...tests];
