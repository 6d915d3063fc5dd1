import { fc } from '@fast-check/jest';
import { openApiDocument } from '../../../packages/sandbox/src/openapi/document.ts';

const document = openApiDocument();

type Json = Record<string, unknown>;

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: string; example?: unknown; schema?: Json }[];
  readonly body?: { readonly schema: Json; readonly example: unknown };
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

function endpoints(): Endpoint[] {
  const paths = document.paths as Record<string, Record<string, Json>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody } = operation as {
        parameters?: Endpoint['parameters'];
        requestBody?: { content: Record<string, NonNullable<Endpoint['body']>> };
      };
      const body = requestBody?.content['application/json'];
      return { method: method.toUpperCase(), path, parameters, ...(body && { body }) };
    }),
  );
}

const nasty = fc.constantFrom(
  '',
  ' ',
  '.',
  '..',
  '../..',
  '%2e%2e%2f',
  '\u0000',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '#{7*7}',
  '{{constructor}}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '201',
  '1e309',
  '9'.repeat(400),
  'a'.repeat(5000),
  '\u{1f600}'.repeat(50),
  '\ud800',
  '\u202e',
  'a\r\nx-injected: 1',
);
const text = fc.oneof(
  nasty,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer().map(String),
);

const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
);

/** The example of the document, or anything else. */
const near = (example: unknown, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  example === undefined
    ? other
    : fc.oneof({ weight: 3, arbitrary: fc.constant(example) }, { weight: 2, arbitrary: other });

function bodyOf({ body }: Endpoint): fc.Arbitrary<string | undefined> {
  if (!body) return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, text);
  const example = body.example as Json;
  const members = Object.entries(example).map(([name, given]) =>
    fc.option(near(given, value), { nil: undefined }).map((chosen) => [name, chosen] as const),
  );
  const strange = fc.tuple(
    fc.oneof(fc.constantFrom('__proto__', 'constructor', 'code', ''), fc.string({ maxLength: 8 })),
    value,
  );
  const object = fc
    .tuple(fc.tuple(...members), fc.array(strange, { maxLength: 2 }))
    .map(([known, more]) => {
      const parts = [...known, ...more]
        .filter(([, chosen]) => chosen !== undefined)
        .map(([name, chosen]) => `${JSON.stringify(name)}:${JSON.stringify(chosen)}`);
      return `{${parts.join(',')}}`;
    });
  const brokenJson = fc.constantFrom(
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '1',
    '{"a":1}}',
    '\u{feff}{}',
    `${'['.repeat(20_000)}`,
    `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  );
  return fc.oneof(
    { weight: 8, arbitrary: object },
    { weight: 1, arbitrary: brokenJson },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: text },
  );
}

const contentType = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ),
  },
);

function authorizationOf(tokens: readonly string[]): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...tokens.map((token) => `Bearer ${token}`)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        '',
        'Bearer',
        'Bearer  ',
        'Basic YTpi',
        'bearer svc_',
        'Bearer svc_x svc_y',
        `Bearer ${'a'.repeat(4000)}`,
      ),
    },
  );
}

function pathOf({ path, parameters }: Endpoint): fc.Arbitrary<string> {
  const placed = parameters.filter((parameter) => parameter.in === 'path');
  const values = placed.map(({ example }) => near(example, text));
  return fc.tuple(...values).map((chosen) =>
    placed.reduce((url, { name }, index) => {
      const given = String(chosen[index]).toWellFormed();
      return url.replace(`{${name}}`, () => encodeURIComponent(given));
    }, path),
  );
}

function queryOf({ parameters }: Endpoint): fc.Arbitrary<[string, string][]> {
  const placed = parameters.filter((parameter) => parameter.in === 'query');
  const known = placed.map(({ name, example, schema }) =>
    fc
      .option(near(example ?? (schema?.enum as unknown[] | undefined)?.[0], text))
      .map((chosen): [string, string][] => (chosen === null ? [] : [[name, String(chosen)]])),
  );
  const strange = fc.tuple(
    fc.constantFrom('x', 'limit', 'cursor', 'email', '__proto__', '', 'a[b]'),
    text.map(String),
  );
  return fc
    .tuple(
      fc.tuple(...known),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(strange, { maxLength: 2 }) },
      ),
    )
    .map(([pairs, more]) => [...pairs.flat(), ...more] as [string, string][]);
}

/** Requests that are near those of the document, and some that are far from them. */
export function fuzzed(tokens: readonly string[]): fc.Arbitrary<Fuzzed> {
  return fc.constantFrom(...endpoints()).chain((endpoint) =>
    fc
      .record({
        method: fc.oneof(
          { weight: 15, arbitrary: fc.constant(endpoint.method) },
          {
            weight: 1,
            arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
          },
        ),
        path: pathOf(endpoint),
        query: queryOf(endpoint),
        authorization: authorizationOf(tokens),
        contentType,
        body: bodyOf(endpoint),
      })
      .map(({ authorization, contentType: type, body, method, ...rest }) => {
        const sent = method === 'GET' ? undefined : body;
        const headers = {
          ...(authorization !== undefined && { authorization }),
          ...(sent !== undefined && { 'content-type': type }),
        };
        return { ...rest, method, headers, body: sent };
      }),
  );
}
