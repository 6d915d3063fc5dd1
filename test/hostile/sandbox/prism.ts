import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { validateInput, validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import type { IHttpOperation } from '@stoplight/types';
import { document, type Fuzzed } from './requests.ts';

type Method = Parameters<typeof validateInput>[0]['element']['method'];

interface Finding {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly severity?: string | number;
}

/** Prism reads the same document by itself and judges what was asked and what was answered. */
export class Prism {
  readonly #operations: readonly IHttpOperation[];

  private constructor(operations: readonly IHttpOperation[]) {
    this.#operations = operations;
  }

  static async read(): Promise<Prism> {
    return new Prism(await getHttpOperationsFromSpec(document));
  }

  /** What is wrong with a request by the document. */
  request({ endpoint, path, query, headers, body }: Fuzzed, parsed: unknown): Finding[] {
    const grouped: Record<string, string | string[]> = {};
    for (const [name, value] of query) grouped[name] = value;
    const result = validateInput({
      resource: this.#operation(endpoint),
      element: {
        method: endpoint.method.toLowerCase() as Method,
        url: { path, query: grouped },
        headers: { ...headers },
        ...(body !== undefined && { body: parsed }),
      },
    });
    return findings(result);
  }

  /** What is wrong with an answer by the document. */
  answer(
    { endpoint }: Fuzzed,
    status: number,
    headers: Record<string, string>,
    body: unknown,
  ): Finding[] {
    return findings(
      validateOutput({
        resource: this.#operation(endpoint),
        element: { statusCode: status, headers, body },
      }),
    );
  }

  #operation({ method, path }: Fuzzed['endpoint']): IHttpOperation {
    const operation = this.#operations.find(
      (candidate) => candidate.method.toUpperCase() === method && candidate.path === path,
    );
    if (!operation) throw new Error(`Prism knows no ${method} ${path}.`);
    return operation;
  }
}

function findings(result: ReturnType<typeof validateOutput>): Finding[] {
  return result._tag === 'Left' ? [...result.left] : [];
}
