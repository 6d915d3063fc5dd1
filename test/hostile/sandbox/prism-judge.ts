/**
 * Prism reads the sandbox's document and judges exchanges in order, one JSON text per line. It runs
 * in a separate process because Jest cannot load all of Prism's modules.
 */
import { createInterface } from 'node:readline';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { validateInput, validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import { openApiDocument } from '../../../packages/sandbox/src/openapi/document.ts';

/** The parts of a request and its response that a judge of the contract looks at. */
export interface Exchange {
  readonly method: string;
  /** As the document writes it, with its placeholders. */
  readonly template: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Parsed; left out when none was sent. */
  readonly requestBody?: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a judge found wrong with each side of an exchange. */
export interface Verdict {
  readonly onRequest: readonly string[];
  readonly onAnswer: readonly string[];
}

const operations = await getHttpOperationsFromSpec(openApiDocument());
type Operation = (typeof operations)[number];
type Method = Parameters<typeof validateInput>[0]['element']['method'];

function operationOf({ method, template }: Exchange): Operation {
  const found = operations.find(
    (candidate) => candidate.method.toUpperCase() === method && candidate.path === template,
  );
  if (!found) throw new Error(`Prism knows no ${method} ${template}.`);
  return found;
}

function findings(
  result: ReturnType<typeof validateInput> | ReturnType<typeof validateOutput>,
): string[] {
  if (result._tag !== 'Left') return [];
  return result.left.map(({ path, message }) => `${path?.join('.')} ${message}`);
}

function judge(exchange: Exchange): Verdict {
  const resource = operationOf(exchange);
  const { method, path, query, requestHeaders, requestBody, status, headers, body } = exchange;
  const onRequest = validateInput({
    resource,
    element: {
      method: method.toLowerCase() as Method,
      url: { path, query: { ...query } },
      headers: { ...requestHeaders },
      ...(requestBody !== undefined && { body: requestBody }),
    },
  });
  const onAnswer = validateOutput({
    resource,
    element: { statusCode: status, headers: { ...headers }, body },
  });
  return { onRequest: findings(onRequest), onAnswer: findings(onAnswer) };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(judge(JSON.parse(line) as Exchange))}\n`);
}
