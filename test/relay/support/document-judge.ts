import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type RelayResponse, type Running, send } from './running-relay.ts';

interface OperationObject {
  readonly operationId: string;
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** Compares real responses with the OpenAPI document that the relay serves. */
export async function judge({ url }: Running) {
  const { body: document } = await send(`${url}/openapi.json`, 'GET', {});
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const paths = Object.entries<Record<string, OperationObject>>(document.paths);
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  /** How a response violates the document; empty if it does not. */
  const faults = (id: string, { status, headers, body }: RelayResponse): unknown => {
    const response = operations.find(({ operationId }) => operationId === id)?.responses[status];
    const [[contentType, { schema }] = [null, { schema: {} }]] = Object.entries(
      response?.content ?? {},
    );
    if (!response || headers.get('content-type') !== contentType) return { id, status, headers };
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const validate = ajv.compile(JSON.parse(text));
    return body === undefined || validate(body) ? [] : validate.errors;
  };
  return { operations, faults };
}
