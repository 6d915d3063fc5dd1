import { fc } from '@fast-check/jest';
import { openApiDocument } from '../../../packages/sandbox/src/openapi/document.ts';

interface Content {
  readonly example: Readonly<Record<string, unknown>>;
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; in: string; example?: unknown }[];
  readonly body: Content['example'] | undefined;
}

/** A request as it goes to the service, before anything has looked at it. */
export interface Fuzzed {
  readonly method: string;
  readonly path: string;
  /** The value of each parameter of the path, not encoded. */
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface OperationObject {
  readonly parameters?: Endpoint['parameters'];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}

const paths = openApiDocument().paths as Record<string, Record<string, OperationObject>>;
const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody }]): Endpoint => {
    const body = requestBody?.content['application/json']?.example;
    return { method: method.toUpperCase(), path, parameters, body };
  }),
);

const names = ['__proto__', 'constructor', 'toString', 'a[b]', ''];
const numbers = ['NaN', '-1', '0', '201', '1e309', '9'.repeat(400)];
const attacks = ['../..', '%2e%2e%2f', "' OR 1=1 --", '<script>alert(1)</script>', '{{1}}'];
const characters = ['\u0000', '\ud800', '\u202e', 'a\r\nx-injected: 1', 'a'.repeat(5000)];
const text = fc.oneof(
  fc.constantFrom(...names, ...numbers, ...attacks, ...characters),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer().map(String),
);
const value = fc.oneof(text, fc.double(), fc.jsonValue({ maxDepth: 3 }));

/** The first, and now and then something else. */
const mostly = <Value>(usual: Value, other: fc.Arbitrary<Value>, weight = 4) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const brokenJson = fc.oneof(
  fc.constantFrom('', '{', 'null', '[]', '{"a":1}}', '\u{feff}{}', '['.repeat(20_000)),
  fc.json(),
  text,
);

/** The members of the example, some missing or other, and some that do not belong there. */
function bodyOf({ body }: Endpoint): fc.Arbitrary<string | undefined> {
  if (!body) return mostly<string | undefined>(undefined, text);
  const members = Object.entries(body).map(([name, example]) =>
    fc.tuple(fc.constant(name), mostly<unknown>(example, fc.option(value, { nil: undefined }), 2)),
  );
  const strange = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 2 });
  const object = fc
    .tuple(fc.tuple(...members), strange)
    .map(([known, more]) => JSON.stringify(Object.fromEntries([...known, ...more])));
  return fc.oneof({ weight: 4, arbitrary: object }, { weight: 1, arbitrary: brokenJson });
}

function pathOf({ path, parameters }: Endpoint): fc.Arbitrary<string> {
  const placed = parameters.filter((parameter) => parameter.in === 'path');
  return fc.tuple(...placed.map(({ example }) => mostly(String(example), text, 2))).map((chosen) =>
    placed.reduce((url, { name }, index) => {
      const given = String(chosen[index]).toWellFormed();
      return url.replace(`{${name}}`, () => encodeURIComponent(given));
    }, path),
  );
}

function queryOf({ parameters }: Endpoint): fc.Arbitrary<[string, string][]> {
  const placed = parameters.filter((parameter) => parameter.in === 'query');
  const known = placed.map(({ name, example }) =>
    fc
      .option(example === undefined ? text : mostly(String(example), text, 2))
      .map((chosen): [string, string][] => (chosen === null ? [] : [[name, chosen]])),
  );
  const strange = fc.tuple(fc.constantFrom('limit', 'cursor', ...names), text);
  return fc
    .tuple(fc.tuple(...known), mostly([], fc.array(strange, { maxLength: 2 })))
    .map(([pairs, more]) => [...pairs.flat(), ...more]);
}

const json = 'application/json';
const types = ['text/plain', `${json}; charset=utf-8`, 'multipart/form-data; boundary=x', ''];
const credentials = ['', 'Bearer', 'Basic YTpi', 'Bearer svc_x svc_y', 'Bearer '.repeat(500)];

/** Requests that are near those of the document, and some that are far from them. */
export function fuzzed(tokens: readonly string[]): fc.Arbitrary<Fuzzed> {
  const valid = tokens.map((token) => `Bearer ${token}`);
  return fc.constantFrom(...endpoints).chain((endpoint) =>
    fc
      .record({
        method: mostly(endpoint.method, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'), 15),
        path: pathOf(endpoint),
        query: queryOf(endpoint),
        authorization: fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom(...valid) },
          { weight: 1, arbitrary: fc.constantFrom(...credentials) },
        ),
        type: mostly(json, fc.constantFrom(...types), 8),
        body: bodyOf(endpoint),
      })
      .map(({ authorization, type, body, method, ...rest }) => {
        const sent = method === 'GET' ? undefined : body;
        const headers = { authorization, ...(sent !== undefined && { 'content-type': type }) };
        return { ...rest, method, headers, body: sent };
      }),
  );
}
