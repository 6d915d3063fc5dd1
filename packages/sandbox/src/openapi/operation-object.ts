import type { Operation } from '@screen-advertising/core';
import { inputJsonSchema } from '@screen-advertising/core/forms';
import { responsesOf } from './responses.ts';
import { type JsonSchema, json } from './schemas.ts';

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
    responses: responsesOf(operation),
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
