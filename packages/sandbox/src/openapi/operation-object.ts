import type { Operation } from '@screen-advertising/core';
import { formFields, inputJsonSchema } from '@screen-advertising/core/forms';
import { type JsonSchema, json, recordName, reference } from './schemas.ts';

interface FieldSchema extends JsonSchema {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
}

interface InputSchema extends FieldSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

/** An operation of the catalogue in OpenAPI's format. */
export function operationObject(operation: Operation): JsonSchema {
  const input: InputSchema = inputJsonSchema(operation);
  const takesBody = operation.method === 'POST' && operation.body !== 'none';
  return {
    operationId: operation.name,
    summary: operation.title,
    description: operation.description,
    tags: [operation.resource.plural],
    'x-section': operation.section,
    // Any one of the scopes is enough.
    security: operation.scopes.map((scope) => ({ bearer: [scope] })),
    parameters: parameters(operation, input),
    ...(takesBody && { requestBody: requestBody(operation, input) }),
    responses: responsesOf(operation, takesBody),
  };
}

function parameters(
  { path, method }: Operation,
  { properties = {}, required = [] }: InputSchema,
): JsonSchema[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const isInPath = path.includes(`{${name}}`);
    if (!isInPath && method === 'POST') return [];
    const { title: _title, description, examples: [example] = [], ...schema } = field;
    return {
      name,
      in: isInPath ? 'path' : 'query',
      required: required.includes(name),
      description,
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

function requestBody({ path }: Operation, input: InputSchema): JsonSchema {
  const isInBody = (name: string) => !path.includes(`{${name}}`);
  const { $schema: _dialect, properties, required, ...rest } = input;
  const fields = Object.entries(properties ?? {}).filter(([name]) => isInBody(name));
  const schema = {
    ...rest,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(required && { required: required.filter(isInBody) }),
  };
  const ofFields = fields.map(([name, field]) => [name, field.enum?.[0] ?? field.examples?.[0]]);
  const [example = Object.fromEntries(ofFields)] = input.examples ?? [];
  return { required: true, content: json(schema, example) };
}

type Responses = Record<string, JsonSchema>;

const problems = {
  400: 'A parameter is missing, invalid, or against a rule; `detail` names it.',
  401: 'The bearer token is missing, unknown or expired.',
  403: 'The access lacks the scope; `detail` names it.',
  404: 'It does not exist, or this access cannot see it.',
  409: 'The code is taken, or the lead already has an active coupon from this access.',
  415: 'The Content-Type is not application/json.',
  429: 'Rate limit reached. Wait as long as Retry-After says.',
};

/** All responses of an operation, with the assumed variants. */
function responsesOf(operation: Operation, takesBody: boolean): Responses {
  const { name, path, description } = operation;
  const takesFields = formFields(operation).some((field) => field.in !== 'path');
  return {
    [operation.successStatus]: {
      description,
      content: json(responseSchema(operation), responseExample(operation)),
    },
    ...problemResponses({
      400: takesFields || takesBody || name === 'coupon.revoke',
      401: true,
      403: true,
      404: path.includes('{'),
      409: name === 'coupon.create',
      415: takesBody,
      429: true,
    }),
  };
}

export function tokenResponses(example: unknown): Responses {
  const description = 'An access token that is valid for an hour.';
  return {
    200: { description, content: json(reference('Token'), example) },
    ...problemResponses({ 400: true, 401: true, 415: true, 429: true }),
  };
}

const lastPage = { cursor: null, has_more: false, total_count: 1 };

function responseExample({ name, responseShape, sample }: Operation): unknown {
  if (responseShape !== 'record') return { data: [sample], pagination: lastPage };
  return name === 'user.lookup' ? { data: sample } : sample;
}

function responseSchema(operation: Operation): JsonSchema {
  const record = reference(recordName(operation));
  if (operation.name === 'user.lookup') return object({ data: record });
  if (operation.responseShape === 'record') return record;
  return object({ data: { type: 'array', items: record }, pagination: reference('Pagination') });
}

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

const retryAfter = { description: 'Seconds to wait.', schema: { type: 'integer' } };

function problemResponses(isPossible: Readonly<Record<string, boolean>>): Responses {
  const responses = Object.entries(problems).map(([status, description]) => [
    status,
    {
      description,
      ...(status === '429' && { headers: { 'Retry-After': retryAfter } }),
      content: { 'application/problem+json': { schema: reference('Problem') } },
    },
  ]);
  return Object.fromEntries(responses.filter(([status]) => isPossible[String(status)]));
}
