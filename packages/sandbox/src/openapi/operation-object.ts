import type { Operation, OperationName } from '@screen-advertising/core';
import { formFields, inputJsonSchema } from '@screen-advertising/core/forms';
import { answerExamples, bodyExamples } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';
import { responsesOf } from './responses.ts';
import { tags } from './schemas.ts';

/** One operation of the catalogue as OpenAPI says it. */
export function operationObject(operation: Operation): JsonSchema {
  const name = operation.name as OperationName;
  const body = requestBody(operation, bodyExamples[name]);
  return {
    operationId: name,
    summary: operation.title,
    description: operation.description,
    tags: [tags[operation.resource].name],
    'x-section': operation.section,
    // Any one of the scopes will do.
    security: operation.scopes.map((scope) => ({ bearer: [scope] })),
    parameters: parameters(operation),
    ...(body && { requestBody: body }),
    responses: responsesOf(operation, answerExamples[name]),
  };
}

function parameters(operation: Operation): JsonSchema[] {
  const { properties = {} } = inputJsonSchema(operation) as { properties?: JsonSchema };
  return formFields(operation)
    .filter(({ place }) => place !== 'body')
    .map(({ name, place, required, description, example }) => {
      const {
        title: _t,
        description: _d,
        examples: _e,
        ...schema
      } = properties[name] as JsonSchema;
      return {
        name,
        in: place,
        required,
        description,
        schema,
        ...(example !== undefined && {
          example: schema.type === 'integer' ? Number(example) : example,
        }),
      };
    });
}

function requestBody(operation: Operation, example: unknown): JsonSchema | undefined {
  if (example === undefined) return undefined;
  const { $schema: _dialect, ...schema } = inputJsonSchema(operation);
  return { required: true, content: { 'application/json': { schema, example } } };
}
