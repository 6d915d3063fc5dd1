import { describe, expect, it } from '@jest/globals';
import { type EventName, events, operations } from '@screen-advertising/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startReceiver } from '../support/receiver.ts';
import { type CallOptions, type Running, start } from '../support/running-sandbox.ts';

interface OperationObject {
  operationId: string;
  responses: Record<string, { content: Record<string, { schema: object; example?: unknown }> }>;
  requestBody?: { content: Record<string, { schema: object; example: unknown }> };
}
interface Document {
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, { post: OperationObject }>;
}

const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };
const period = 'from=2027-03-01&to=2027-03-31';

interface Case {
  readonly operation: string;
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly options: CallOptions;
}

const statusesOf = (
  operation: string,
  method: string,
  calls: [status: number, path: string, options?: CallOptions][],
): Case[] =>
  calls.map(([status, path, options = {}]) => ({ operation, status, method, path, options }));

const form = { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } };

/** A request for every status of every operation, after the coupons TAKEN and USED were created. */
const cases = [
  statusesOf('token.create', 'POST', [
    [
      200,
      '/oauth/token',
      { body: { client_id: 'sandbox-full', client_secret: 'sandbox-full-client-secret' } },
    ],
    [400, '/oauth/token', { body: {} }],
    [401, '/oauth/token', { body: { client_id: 'a', client_secret: 'b' } }],
    [415, '/oauth/token', form],
  ]),
  statusesOf('screen.list', 'GET', [
    [200, '/screens?limit=200'],
    [200, '/screens?city=Nowhere'],
    [400, '/screens?limit=0'],
  ]),
  statusesOf('screen.get', 'GET', [
    [200, '/screens/scr_berlin_0001'],
    [404, '/screens/none'],
  ]),
  statusesOf('screen.availability', 'GET', [
    [200, `/screens/scr_berlin_0001/availability?${period}`],
    [400, '/screens/scr_berlin_0001/availability'],
    [404, `/screens/none/availability?${period}`],
  ]),
  statusesOf('coupon.create', 'POST', [
    [201, '/coupons', { body: { ...coupon, lead_email: 'c@example.com', lead_metadata: [1] } }],
    [400, '/coupons', { body: {} }],
    [409, '/coupons', { body: { ...coupon, code: 'TAKEN' } }],
    [415, '/coupons', form],
  ]),
  statusesOf('coupon.get', 'GET', [
    [200, '/coupons/TAKEN'],
    [404, '/coupons/NONE'],
  ]),
  statusesOf('coupon.revoke', 'POST', [
    [200, '/coupons/TAKEN/revoke'],
    [400, '/coupons/USED/revoke'],
    [404, '/coupons/NONE/revoke'],
  ]),
  statusesOf('user.lookup', 'GET', [
    [200, '/users/lookup?email=lead@example.com'],
    [200, '/users/lookup?vat_uid=none'],
    [400, '/users/lookup'],
  ]),
  statusesOf('landingLink.create', 'POST', [
    [201, '/landing-links', { body: { utm_campaign: 'spring' } }],
    [400, '/landing-links', { body: [] }],
    [415, '/landing-links', form],
  ]),
  statusesOf('campaignRequest.list', 'GET', [
    [200, '/campaign-requests'],
    [400, '/campaign-requests?status=open'],
  ]),
  statusesOf('campaignRequest.get', 'GET', [
    [200, '/campaign-requests/cr_0001'],
    [404, '/campaign-requests/none'],
  ]),
].flat();

interface Judge {
  readonly service: Running;
  readonly operationOf: (id: string) => OperationObject;
  /** How a value violates the schema; empty if it does not. */
  readonly faultsOf: (schema: object, value: unknown) => unknown;
  readonly document: Document;
}

async function judge(options = {}): Promise<Judge> {
  const service = await start(options);
  const { text } = await service.admin('GET', '/openapi.json');
  const document = JSON.parse(text) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const everything = [...Object.values(document.paths), ...Object.values(document.webhooks)];
  const all = everything.flatMap((path) => Object.values<OperationObject>(path));
  return {
    service,
    document,
    operationOf: (id) => {
      const found = all.find(({ operationId }) => operationId === id);
      if (!found) throw new Error(`The document has no operation ${id}.`);
      return found;
    },
    faultsOf: (schema, value) => {
      const validate = ajv.compile(withDocument(schema));
      return validate(value) ? [] : validate.errors;
    },
  };
}

/** Turns references inside the document into references to it. */
function withDocument(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
}

async function prepared(): Promise<Judge> {
  const judging = await judge();
  const { call, sandbox } = judging.service;
  await call('POST', '/coupons', { body: { ...coupon, code: 'TAKEN' } });
  await call('POST', '/coupons', {
    body: { ...coupon, code: 'USED', lead_email: 'b@example.com' },
  });
  await sandbox.coupons.redeem('USED');
  return judging;
}

const contentOf = ({ operationOf }: Judge, operation: string, status: number) => {
  const content = operationOf(operation).responses[status]?.content ?? {};
  const [[type, { schema } = { schema: {} }] = ['none']] = Object.entries(content);
  return { type, schema };
};

describe('real responses and the OpenAPI document', () => {
  it.each(cases)('$operation $status: $method $path', async (one) => {
    const judging = await prepared();
    const reply = await judging.service.call(one.method, one.path, one.options);
    const { type, schema } = contentOf(judging, one.operation, one.status);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([one.status, type]);
    expect(judging.faultsOf(schema, JSON.parse(reply.text))).toEqual([]);
  });

  it('the requests above and below cover all statuses of the document', async () => {
    const { document } = await judge();
    const documented = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ operationId, responses }) =>
        Object.keys(responses).map((status) => `${operationId} ${status}`),
      );
    const called = new Set(cases.map(({ operation, status }) => `${operation} ${status}`));
    const rest = documented.filter((pair) => !called.has(pair));
    expect(rest.filter((pair) => !/ (401|403|429)$/.test(pair))).toEqual([]);
  });

  it.each(Object.values(operations).map(({ name, method, path }) => [name, method, path]))(
    '%s agrees on rejected tokens, missing scopes and the rate limit',
    async (name, method, template) => {
      const path = template.replaceAll(/\{\w+\}/g, 'x');
      const judging = await judge({ rateLimit: { requests: 1 } });
      const { sandbox } = judging.service;
      const agrees = async (status: number, token: string) => {
        const headers = { authorization: `Bearer ${token}` };
        const response = await sandbox.fetch(`http://sandbox/api/v1${path}`, { method, headers });
        const { type, schema } = contentOf(judging, name, status);
        expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
        expect(judging.faultsOf(schema, await response.json())).toEqual([]);
      };
      await agrees(401, 'wrong');
      await sandbox.fetch(`http://sandbox/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${judging.service.full.apiKey}` },
      });
      await agrees(429, judging.service.full.apiKey);
      const [first] = sandbox.accesses;
      const none = await start({ accesses: [{ ...first, scopes: [] }] });
      const refused = await none.call(method, path);
      expect(refused.status).toBe(403);
      expect(
        judging.faultsOf(contentOf(judging, name, 403).schema, JSON.parse(refused.text)),
      ).toEqual([]);
    },
  );

  it('the schemas do reject a wrong response', async () => {
    const judging = await judge();
    const { schema } = contentOf(judging, 'screen.list', 200);
    expect(judging.faultsOf(schema, { data: [{ name: 5 }], pagination: {} })).toMatchObject([
      { instancePath: '/data/0', params: { missingProperty: 'id' } },
      { instancePath: '/data/0/name', keyword: 'type' },
    ]);
  });
});

describe('examples', () => {
  it('of responses and bodies match the schemas', async () => {
    const { document, faultsOf } = await judge();
    const examples = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
      .flatMap((holder) => Object.values(holder?.content ?? {}))
      .filter((content) => content.example !== undefined);
    expect(examples.length).toBeGreaterThan(Object.keys(operations).length);
    for (const { schema, example } of examples) expect(faultsOf(schema, example)).toEqual([]);
  });
});

describe('real deliveries and the OpenAPI document', () => {
  it.each(Object.keys(events) as EventName[])('%s agrees', async (name) => {
    const { service, operationOf, faultsOf } = await judge();
    const receiver = await startReceiver();
    service.sandbox.webhooks.add({ url: receiver.url });
    await service.sandbox.fire(name);
    const schema = operationOf(name).requestBody?.content['application/json']?.schema ?? false;
    const body = JSON.parse(receiver.arrivals[0]?.body ?? '');
    expect(faultsOf(schema as object, body)).toEqual([]);
    expect(faultsOf(schema as object, { ...body, type: 'other' })).not.toEqual([]);
  });
});
