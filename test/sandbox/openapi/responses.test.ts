import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '@screen-advertising/core';
import { createSandbox } from '@screen-advertising/sandbox';
import { openApiDocument } from '@screen-advertising/server-kit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod/mini';
import { openApiDocument as documentOfSandbox } from '../../../packages/sandbox/src/service/openapi.ts';
import { eventNames, operationNames } from '../../support/catalogue-names.ts';
import { startReceiver } from '../support/receiver.ts';

interface Content {
  readonly schema: object;
  readonly example?: unknown;
}
interface OperationObject {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, Content>> }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}
type Paths = Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;

const document = JSON.parse(JSON.stringify(documentOfSandbox())) as {
  paths: Paths;
  webhooks: Paths;
};
const operationsOf = (paths: Paths) => Object.values(paths).flatMap((path) => Object.values(path));
const documented = [...operationsOf(document.paths), ...operationsOf(document.webhooks)];
const documentOf = (name: string) => documented.find(({ operationId }) => operationId === name);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

/** How a value violates a schema of the document; empty if it does not. */
function faultsOf(schema: object, value: unknown) {
  const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
  const validate = ajv.compile(whole);
  return validate(value) ? [] : validate.errors;
}

const requests = Number.MAX_SAFE_INTEGER;
const sandbox = createSandbox({ rateLimit: { requests, tokenRequests: requests } });
const [full] = sandbox.accesses;
const authorization = `Bearer ${full.apiKey}`;
afterAll(() => sandbox.close());

async function call(line: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path] = line.split(' ');
  const response = await sandbox.fetch(`http://sandbox/api/v1${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

function expectAgreement(name: string, status: number, reply: Awaited<ReturnType<typeof call>>) {
  const content = documentOf(name)?.responses[status]?.content ?? {};
  const [[type, { schema }] = ['none', { schema: {} }]] = Object.entries(content);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([status, type]);
  expect(faultsOf(schema, reply.json)).toEqual([]);
}

const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };
const credentials = { client_id: full.clientId, client_secret: full.clientSecret };
const period = 'from=2027-03-01&to=2027-03-31';

/** A request for every status of every operation, after the coupons TAKEN and USED were created. */
const cases: readonly [name: string, status: number, call: string, body?: unknown][] = [
  ['token.create', 200, 'POST /oauth/token', credentials],
  ['token.create', 400, 'POST /oauth/token', {}],
  ['token.create', 401, 'POST /oauth/token', { client_id: 'a', client_secret: 'b' }],
  ['screen.list', 200, 'GET /screens?limit=200'],
  ['screen.list', 400, 'GET /screens?limit=0'],
  ['screen.get', 200, 'GET /screens/scr_berlin_0001'],
  ['screen.get', 404, 'GET /screens/none'],
  ['screen.availability', 200, `GET /screens/scr_berlin_0001/availability?${period}`],
  ['screen.availability', 400, 'GET /screens/scr_berlin_0001/availability'],
  ['screen.availability', 404, `GET /screens/none/availability?${period}`],
  ['coupon.create', 201, 'POST /coupons', { ...coupon, lead_metadata: [1] }],
  ['coupon.create', 400, 'POST /coupons', {}],
  ['coupon.create', 409, 'POST /coupons', { ...coupon, code: 'TAKEN' }],
  ['coupon.get', 200, 'GET /coupons/TAKEN'],
  ['coupon.get', 404, 'GET /coupons/NONE'],
  ['coupon.revoke', 200, 'POST /coupons/TAKEN/revoke'],
  ['coupon.revoke', 400, 'POST /coupons/USED/revoke'],
  ['coupon.revoke', 404, 'POST /coupons/NONE/revoke'],
  ['user.lookup', 200, 'GET /users/lookup?email=lead@example.com'],
  ['user.lookup', 200, 'GET /users/lookup?vat_uid=none'],
  ['user.lookup', 400, 'GET /users/lookup'],
  ['landingLink.create', 201, 'POST /landing-links', { utm_campaign: 'spring' }],
  ['landingLink.create', 400, 'POST /landing-links', []],
  ['campaignRequest.list', 200, 'GET /campaign-requests'],
  ['campaignRequest.list', 400, 'GET /campaign-requests?status=open'],
  ['campaignRequest.get', 200, 'GET /campaign-requests/cr_0001'],
  ['campaignRequest.get', 404, 'GET /campaign-requests/none'],
];

describe('real responses and the OpenAPI document', () => {
  beforeAll(async () => {
    for (const code of ['TAKEN', 'USED']) {
      await call('POST /coupons', { ...coupon, code, lead_email: `${code}@example.com` });
    }
    await sandbox.coupons.redeem('USED');
  });

  it.each(cases)('%s %d: %s', async (name, status, line, ...[body]) => {
    expectAgreement(name, status, await call(line, body));
  });

  it.each(documented.filter(({ responses }) => 415 in responses))(
    '$operationId 415: a form',
    async ({ operationId }) => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const [path = ''] =
        Object.entries(document.paths).find(([, { post }]) => post?.operationId === operationId) ??
        [];
      expectAgreement(operationId, 415, await call(`POST ${path}`, {}, form));
    },
  );

  it('the requests above and below cover all statuses of the document', () => {
    const called = new Set(cases.map(([name, status]) => `${name} ${status}`));
    const rest = operationsOf(document.paths)
      .flatMap(({ operationId, responses }) =>
        Object.keys(responses).map((status) => `${operationId} ${status}`),
      )
      .filter((pair) => !called.has(pair) && !/ (?:401|403|415|429)$/.test(pair));
    expect(rest).toEqual([]);
  });

  it.each(operationNames)(
    '%s agrees on rejected tokens, missing scopes and the rate limit',
    async (name) => {
      const { method, path: template } = operations[name];
      const path = template.replaceAll(/\{\w+\}/g, 'x');
      const limited = createSandbox({
        accesses: [{ ...full, scopes: [] }],
        rateLimit: { requests: 1 },
      });
      const send = async (token: string) => {
        const headers = { authorization: `Bearer ${token}` };
        const response = await limited.fetch(`http://sandbox/api/v1${path}`, { method, headers });
        const { status, headers: given } = response;
        return { status, headers: given, json: await response.json() };
      };
      expectAgreement(name, 401, await send('wrong'));
      expectAgreement(name, 403, await send(full.apiKey));
      expectAgreement(name, 429, await send(full.apiKey));
      await limited.close();
    },
  );
});

it('examples of responses and bodies match the schemas', () => {
  const examples = operationsOf(document.paths)
    .flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
    .flatMap((holder) => Object.values(holder?.content ?? {}))
    .filter((content) => content.example !== undefined);
  expect(examples.length).toBeGreaterThan(operationNames.length);
  for (const { schema, example } of examples) expect(faultsOf(schema, example)).toEqual([]);
});

it.each(eventNames)('a delivery of %s agrees', async (name) => {
  const receiver = await startReceiver();
  const { id } = sandbox.webhooks.add({ url: receiver.url });
  await sandbox.fire(name);
  sandbox.webhooks.remove(id);
  const { schema = {} } = documentOf(name)?.requestBody?.content['application/json'] ?? {};
  const body = JSON.parse(receiver.arrivals[0]?.body ?? '');
  expect(faultsOf(schema, body)).toEqual([]);
  expect(faultsOf(schema, { ...body, type: 'other' })).not.toEqual([]);
});

it('the document has every operation of the catalogue with its section and scopes', () => {
  for (const operation of operationNames) {
    const { name, method, path, section, scopes }: Operation = operations[operation];
    expect(document.paths[path]?.[method.toLowerCase()]).toMatchObject({
      operationId: name,
      'x-section': section,
      security: scopes.map((scope) => ({ bearer: [scope] })),
    });
  }
  const token = { 'x-section': '4.1', security: [] };
  expect(document.paths['/oauth/token']?.post).toMatchObject(token);
  expect(operationsOf(document.paths)).toHaveLength(operationNames.length + 1);
});

it('the document names the address that serves it', async () => {
  const { url, baseUrl } = await sandbox.listen();
  const served = await (await fetch(`${url}/_sandbox/openapi.json`)).json();
  expect(served.openapi).toMatch(/^3\.1\./);
  expect(served.servers[0].variables.base_url.default).toBe(baseUrl);
});

it('documents a path parameter once: not in the body, too', () => {
  const input = z.strictObject({
    screenId: z.string(),
    reason: z.string(),
    note: z.optional(z.string().check(z.meta({ description: 'Why.' }))),
  });
  const of = (body?: 'required') => {
    const operation = {
      id: 'pause',
      title: 'Pause',
      description: '',
      tag: 'Screens',
      input,
      body,
    };
    const path = '/screens/{screenId}/pause';
    const rest = { method: 'POST', path, security: [], successes: {}, problems: {} };
    const info = { title: 'Pauses', version: '1' };
    const { paths } = openApiDocument([{ ...operation, ...rest }], { info }) as { paths: object };
    return Object.values(paths)[0].post;
  };
  expect(of('required').parameters).toEqual([
    { in: 'path', name: 'screenId', required: true, schema: { type: 'string' } },
  ]);
  const { schema } = of('required').requestBody.content['application/json'];
  expect(schema.required).toEqual(['reason']);
  expect(Object.keys(schema.properties)).toEqual(['reason', 'note']);
  expect(of().requestBody).toBeUndefined();
  expect(of().parameters).toMatchObject([
    { in: 'path', name: 'screenId' },
    { in: 'query', name: 'reason' },
    { in: 'query', name: 'note', description: 'Why.' },
  ]);
});
