/** A block of a document: where it is, and the code that readers have before and after it. */
export interface Example {
  readonly document: string;
  /** A text that only this block contains. */
  readonly holds: string;
  /** A text of another block of the document, which the program has before this one. */
  readonly needs?: string;
  /** The code around it in a program. */
  readonly before?: string;
  readonly after?: string;
  readonly prints: RegExp;
  /** What the error output must be; default: nothing. */
  readonly warns?: RegExp;
}

const client = `
  import { clientCredentials, createClient } from '@screen-advertising/core';
  const client = createClient({
    baseUrl: 'https://service.example/api/v1',
    auth: clientCredentials({ clientId: '...', clientSecret: '...' }),
  });`;

const signed = `
  import { signWebhook } from '@screen-advertising/core';
  const secrets = ['sandbox-full-signing-secret'];
  const body = '{"type":"user.registered","data":{"user_id":"1"}}';
  const signature = signWebhook({ body, secret: 'sandbox-full-signing-secret' });`;

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
    holds: "screenId: 'scr_unknown'",
    before: client,
    prints: /^not_found .+ false undefined \S+ 1\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'findAvailableScreens(client',
    before: client,
    after: `
      console.log(screens[0]?.screen.city, screens[0]?.days, failures.length);`,
    prints: /^Berlin 14 0\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'verifyWebhook({ body',
    before: signed,
    after: 'console.log(type, data);',
    prints: /^user.registered \{ user_id: '1' \}\n$/,
  },
  {
    document: 'shared/README.md',
    holds: 'verifyRequest(request',
    before: `${signed}
      const headers = { 'x-service-signature': signature };
      const request = new Request('http://127.0.0.1/', { method: 'POST', body, headers });`,
    after: 'console.log(type, data, key.slice(0, 5));',
    prints: /^user.registered \{ user_id: '1' \} body:\n$/,
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

const nextJs = 'async function POST';
const worker = 'async fetch(request';

/** Programs that receive events, each from a server or gateway, in eight shapes. */
const receivers: readonly Example[] = (
  [
    ["from 'express'", "overHttp(app.listen(0, '127.0.0.1'))"],
    ["from 'fastify'", '(await app.listen(), overHttp(app.server))'],
    [nextJs, 'overFetch(POST)'],
    ["from 'hono'", 'overHonoServer(app)', nextJs],
    [
      worker,
      'overFetch(async (one) => (await import(import.meta.url)).default.fetch(one))',
      nextJs,
    ],
    ['async function handler', "overLambda(handler, 'REST API')"],
    ['async function handler', "overLambda(handler, 'HTTP API')"],
    ['async function handler', "overLambda(handler, 'load balancer')"],
  ] as const
).map(([holds, receiver, needs]) => ({
  document: 'docs/code-recipes.md',
  holds,
  ...(needs && { needs }),
  before: "const secrets = ['sandbox-full-signing-secret'];",
  after: `
    import { deliver, overFetch, overHonoServer, overHttp, overLambda } from './receivers.ts';
    void deliver(${receiver}, secrets);`,
  prints: /^(?:user\.registered \{ user_id: '1' \}\n204\n){6}401\n401\n401\n500\n500\n$/,
  warns: /^missing_signature .+\nsignature_mismatch [\s\S]*\ninvalid_argument secrets must /,
}));

/** A receiver that knows duplicates. */
const replayMemory: Example = {
  document: 'docs/code-recipes.md',
  holds: 'createReplayMemory()',
  before: "const secrets = ['sandbox-full-signing-secret'];",
  after: `
    import { deliverAgain, overHttp } from './receivers.ts';
    void deliverAgain(overHttp(server), secrets);`,
  prints:
    /^user\.registered \{ user_id: '1' \}\n204\n204\n401\n500\nuser\.registered \{ user_id: '2' \}\n204\n500\n$/,
  warns: /^signature_mismatch .+\nfailed a bug of the handler\ninvalid_argument secrets must .+\n$/,
};

/** A store of tokens: two processes, of which the second needs no token request. */
const store: Example = {
  document: 'docs/code-recipes.md',
  holds: 'redisStore: TokenStore',
  before: `
    import { clientCredentials, createClient as createCoreClient } from '@screen-advertising/core';
    process.env.REDIS_URL = 'redis://127.0.0.1';`,
  after: `
    const startClient = () => createCoreClient({
      baseUrl: 'https://service.example/api/v1',
      auth: clientCredentials({ clientId: '...', clientSecret: '...', store: { ...redisStore } }),
      onAttempt: ({ operation }) => console.log(operation),
    });
    await startClient().screens.list({ limit: 1 });
    await startClient().screens.list({ limit: 1 });
    redis.destroy();
    await startClient().screens.list({ limit: 1 });
    process.exit();`,
  prints: /^token\nscreen.list\nscreen.list\ntoken\nscreen.list\n$/,
  warns: /^Redis: Socket closed unexpectedly\n$/,
};

const mockTransport: Example = {
  document: 'docs/code-recipes.md',
  holds: 'const responses = [',
  after: `
    const started = performance.now();
    responses.push({ status: 503, headers: { 'retry-after': '20' }, body: '' });
    const late = client.screens.get({ screenId: 'scr_1' }, { deadlineMs: 10_000 });
    console.log(await late.catch(({ code, retryAfter }) => [code, retryAfter].join(' ')));
    const hanging = createClient({
      baseUrl,
      auth: apiKey('svc_c'),
      transport: { ...transport, send: () => new Promise(() => undefined) },
    });
    const ended = hanging.screens.get({ screenId: 'scr_1' }, { deadlineMs: 10_000 });
    console.log(await ended.catch(({ code }) => code), performance.now() - started < 5000);`,
  prints: /^Main Street\nservice_error 20\ntimeout true\n$/,
};

const eventUnion: Example = {
  document: 'docs/code-recipes.md',
  holds: 'function summaryOf',
  after: `
    import { verifyWebhook, signWebhook } from '@screen-advertising/core';
    const secrets = ['sandbox-full-signing-secret'];
    for (const event of [
      { type: 'coupon.redeemed', data: { lead_email: 'lead@example.com', code: 'SPRING-25' } },
      { type: 'campaign.paid', data: { amount_cents: 1250 } },
      { type: 'user.registered', data: { company: 'Ads Ltd', email: 'lead@example.com' } },
      { type: 'campaign.ended', id: 'evt_1', data: {} },
      { type: 'campaign.started', data: {} },
    ]) {
      const body = JSON.stringify(event);
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = signWebhook({ body, secret: secrets[0] ?? '', timestamp });
      console.log(summaryOf(verifyWebhook({ body, signature, secrets })));
    }`,
  prints:
    /^lead@example.com redeemed SPRING-25\nPaid: 12.5\nNew: Ads Ltd\nEnded: evt_1\nundefined\n$/,
};

const ownCodes: Example = {
  document: 'docs/code-recipes.md',
  holds: 'function couponFor',
  before: client
    .replace(
      'import { clientCredentials, createClient }',
      'import { clientCredentials, createClient as createCoreClient }',
    )
    .replace('= createClient(', '= createCoreClient(')
    .replace('const client', 'const own'),
  after: `
    const [one, other] = [
      await couponFor(own, 'lead@example.com', 'a key of sixteen or more'),
      await couponFor(own, 'LEAD@example.com', 'a key of sixteen or more'),
    ];
    console.log(one.created, other.created, one.code === other.code);`,
  prints: /^true false true\n$/,
};

const traced: Example = {
  document: 'docs/code-recipes.md',
  holds: 'beforeRequest: ({',
  after: 'await client.screens.list({ limit: 1 });',
  prints: /^screen\.list 1 36\n$/,
};

/** Every program of the documents. */
export const examples = [
  ...core,
  replayMemory,
  ...receivers,
  eventUnion,
  store,
  ownCodes,
  traced,
  mockTransport,
];
