import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiContentObject,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';

export type JsonSchema = Record<string, unknown>;

/** An operation of an API, from which its part of the OpenAPI document is made. */
export interface DocumentedOperation {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tag: string;
  readonly method: string;
  /** Holds `{placeholders}`, whose values are inputs. */
  readonly path: string;
  /** Scopes or rights, any one of which is enough. */
  readonly security: readonly string[];
  /** Those not in the path are in the body, or else in the query. */
  readonly input?: z.core.$ZodType;
  /** Help about inputs whose schema has none. */
  readonly help?: Readonly<Record<string, string | undefined>>;
  readonly body?: 'required' | 'optional' | undefined;
  /** The description of each success, with its content. */
  readonly successes: ZodOpenApiResponsesObject;
  /** Why each of these statuses may come; they have a problem document. */
  readonly problems: Readonly<Record<number, string>>;
  /** Further members, such as `x-section`. */
  readonly more?: Partial<ZodOpenApiOperationObject>;
}

/** The document of an API. Where one of its components is used, it has a reference. */
export function openApiDocument(
  operations: readonly DocumentedOperation[],
  document: Omit<ZodOpenApiObject, 'openapi' | 'paths'>,
): JsonSchema {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  return {
    ...createDocument({ openapi: '3.1.1', ...document, paths }, { override: openResponses }),
  };
}

/** A later version may add fields to a response, so no schema of one forbids them. */
const openResponses: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (io === 'output' && jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties;
  }
};

/** The content of a body in JSON. */
export function jsonContent(schema: z.core.$ZodType, example?: unknown): ZodOpenApiContentObject {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

function operationObject(operation: DocumentedOperation): ZodOpenApiOperationObject {
  const { id, title, description, tag, security, body, successes, problems, more } = operation;
  const { ofPath, others } = inputsOf(operation);
  return {
    operationId: id,
    summary: title,
    description,
    tags: [tag],
    security: security.map((name) => ({ bearer: [name] })),
    requestParams: { path: z.object(ofPath), ...(!body && { query: z.object(others.shape) }) },
    ...(body && {
      requestBody: { required: body === 'required', content: jsonContent(others.schema) },
    }),
    responses: { ...successes, ...problemResponses(problems) },
    ...more,
  };
}

/** The inputs of the path, and the others: as they are, if the path has none of them. */
function inputsOf({ input = z.object(), path, help = {} }: DocumentedOperation) {
  if (!(input instanceof z.core.$ZodObject))
    return { ofPath: {}, others: { schema: input, shape: {} } };
  const ofPath: Record<string, z.core.$ZodType> = {};
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, field] of Object.entries(input._zod.def.shape)) {
    const isInPath = path.includes(`{${name}}`);
    (isInPath ? ofPath : shape)[name] = withHelp(field, help[name]);
  }
  const isAll = Object.keys(help).length === 0 && Object.keys(ofPath).length === 0;
  return { ofPath, others: { shape, schema: isAll ? input : z.strictObject(shape) } };
}

/** A parameter looks for help at the field itself, and not in what it makes optional. */
function withHelp(field: z.core.$ZodType, help: string | undefined): z.core.$ZodType {
  const description = help ?? descriptionOf(field);
  const copy = z.core.clone(field, field._zod.def, { parent: true });
  z.globalRegistry.add(copy, { ...z.globalRegistry.get(field), description });
  return copy;
}

function descriptionOf(field: z.core.$ZodType): string | undefined {
  const { description } = z.globalRegistry.get(field) ?? {};
  if (description !== undefined || !(field instanceof z.core.$ZodOptional)) return description;
  return descriptionOf(field._zod.def.innerType);
}

/** From this status on, the client has to wait. */
const firstToWait = 429;

function problemResponses(problems: Readonly<Record<number, string>>): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(problems).map(([status, description]) => [
      status,
      {
        description,
        ...(Number(status) >= firstToWait && {
          headers: {
            'Retry-After': {
              description: 'Seconds to wait.',
              schema: { type: 'integer' as const },
            },
          },
        }),
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    ]),
  );
}
