import type { Operation } from '@screen-advertising/core';
import { formFields, inputJsonSchema } from '@screen-advertising/core/forms';
import { responsesOf } from './responses.ts';
import type { JsonSchema } from './schemas.ts';

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

interface InputSchema extends JsonSchema {
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly required?: readonly string[];
}

function requestBody(operation: Operation): JsonSchema | undefined {
  if (operation.method !== 'POST' || operation.body === 'none') return undefined;
  const isInBody = (name: string) => !operation.path.includes(`{${name}}`);
  const input: InputSchema = inputJsonSchema(operation);
  const { $schema: _dialect, properties, required, ...rest } = input;
  const schema = {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isInBody(name))),
    }),
    ...(required && { required: required.filter(isInBody) }),
  };
  const example = bodyExample(operation, input);
  return { required: true, content: { 'application/json': { schema, example } } };
}

/** From the examples of its fields. */
function bodyExample(operation: Operation, { examples, properties = {} }: InputSchema): unknown {
  if (examples) return examples[0];
  const inBody = formFields(operation).filter((field) => field.in === 'body');
  return Object.fromEntries(
    inBody.map(({ name, choices }) => [
      name,
      choices?.[0]?.value ?? properties[name]?.examples?.[0],
    ]),
  );
}
