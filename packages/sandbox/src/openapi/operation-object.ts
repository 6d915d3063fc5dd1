import type { Operation } from '@screen-advertising/core';
import { formFields, inputJsonSchema } from '@screen-advertising/core/forms';
import { bodyExample } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';
import { responsesOf } from './responses.ts';

/** An operation of the catalogue in OpenAPI's format. */
export function operationObject(operation: Operation): JsonSchema {
  const body = requestBody(operation);
  return {
    operationId: operation.name,
    summary: operation.title,
    description: operation.description,
    tags: [operation.resource.plural],
    'x-section': operation.section,
    // Any one of the scopes is enough.
    security: operation.scopes.map((scope) => ({ bearer: [scope] })),
    parameters: parameters(operation),
    ...(body && { requestBody: body }),
    responses: responsesOf(operation),
  };
}

function parameters(operation: Operation): JsonSchema[] {
  const { properties = {} } = inputJsonSchema(operation) as { properties?: JsonSchema };
  return formFields(operation)
    .filter((field) => field.in !== 'body')
    .map(({ name, in: location, required, description, example }) => {
      const {
        title: _t,
        description: _d,
        examples: _e,
        ...schema
      } = properties[name] as JsonSchema;
      return {
        name,
        in: location,
        required,
        description,
        schema,
        ...(example !== undefined && {
          example: schema.type === 'integer' ? Number(example) : example,
        }),
      };
    });
}

function requestBody(operation: Operation): JsonSchema | undefined {
  const example = bodyExample(operation);
  if (example === undefined) return undefined;
  const { $schema: _dialect, ...schema } = inputJsonSchema(operation);
  return { required: true, content: { 'application/json': { schema, example } } };
}
