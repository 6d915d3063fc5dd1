import { type JsonSchema, json, reference } from './json-schema.ts';

interface FieldSchema extends JsonSchema {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
}

/** JSON Schema of the inputs of an operation. */
export interface InputSchema extends FieldSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

/** An operation of an API, from which its part of the OpenAPI document is made. */
export interface DocumentedOperation {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tag: string;
  readonly method: string;
  /** With `{placeholders}`, whose values are inputs. */
  readonly path: string;
  /** Scopes or rights, any one of which is enough. */
  readonly security: readonly string[];
  /** Those not in the path are in the body, or else in the query. */
  readonly input: InputSchema;
  readonly body: 'required' | 'optional' | 'none';
  /** Headers that a request needs. */
  readonly headers?: readonly JsonSchema[];
  /** The description of each success, with its content. */
  readonly successes: Readonly<Record<number, JsonSchema>>;
  /** Why each of these statuses may come; they have a problem document. */
  readonly problems: Readonly<Record<number, string>>;
  /** Further members, such as `x-section`. */
  readonly more?: JsonSchema;
}

/** The paths of a document. */
export function pathsOf(operations: readonly DocumentedOperation[]): Record<string, JsonSchema> {
  const result: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    result[path] = { ...result[path], [method.toLowerCase()]: operationObject(operation) };
  }
  return result;
}

/** An operation in OpenAPI's format. */
export function operationObject(operation: DocumentedOperation): JsonSchema {
  const { id, title, description, tag, security, body, headers = [] } = operation;
  const parameters = [...parametersOf(operation), ...headers];
  return {
    operationId: id,
    summary: title,
    description,
    tags: [tag],
    ...operation.more,
    security: security.map((name) => ({ bearer: [name] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== 'none' && { requestBody: requestBody(operation) }),
    responses: { ...operation.successes, ...problemResponses(operation.problems) },
  };
}

function parametersOf({ path, input, body }: DocumentedOperation): JsonSchema[] {
  const { properties = {}, required = [] } = input;
  return Object.entries(properties).flatMap(([name, field]) => {
    const isInPath = path.includes(`{${name}}`);
    if (!isInPath && body !== 'none') return [];
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

function requestBody({ path, input, body }: DocumentedOperation): JsonSchema {
  const isInBody = (name: string) => !path.includes(`{${name}}`);
  const { $schema: _dialect, properties, required, ...rest } = input;
  const fields = Object.entries(properties ?? {}).filter(([name]) => isInBody(name));
  const left = required?.filter(isInBody);
  const schema = {
    ...rest,
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
    ...(left?.length && { required: left }),
  };
  const ofFields = fields.map(([name, field]) => [name, field.enum?.[0] ?? field.examples?.[0]]);
  const [example = Object.fromEntries(ofFields)] = input.examples ?? [];
  const isEmpty = Object.values(example as object).every((value) => value === undefined);
  return {
    required: body === 'required',
    content: json(schema, isEmpty ? undefined : example),
  };
}

/** From this status on, the client is to wait. */
const firstToWait = 429;

function problemResponses(problems: Readonly<Record<number, string>>): JsonSchema {
  return Object.fromEntries(
    Object.entries(problems).map(([status, description]) => [
      status,
      {
        description,
        ...(Number(status) >= firstToWait && {
          headers: {
            'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
          },
        }),
        content: { 'application/problem+json': { schema: reference('Problem') } },
      },
    ]),
  );
}
