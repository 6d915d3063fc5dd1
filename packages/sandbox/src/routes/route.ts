import type { Operation } from '@screen-advertising/core';
import type { PartnerAccess } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';

/** One authenticated call with its input checked. */
export interface Call<Input> {
  readonly context: SandboxContext;
  readonly access: PartnerAccess;
  readonly input: Input;
  /** Of the request, such as `http://127.0.0.1:8787`: links to the sandbox start with it. */
  readonly origin: string;
}

/** What a call is answered with. Undefined: no body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type InputOf<Named extends Operation> =
  Named extends Operation<string, infer Input> ? Input['_zod']['output'] : never;

export interface Route<Named extends Operation = Operation> {
  readonly operation: Named;
  readonly handle: (call: Call<InputOf<Named>>) => Answer;
  /**
   * Rules whose status the contract states. They come before the general check of the input,
   * whose status it does not show.
   */
  readonly statedRules?: (input: Record<string, unknown>) => void;
}

/** A route whose input has the type that the catalogue gives it. */
export function route<Named extends Operation>(definition: Route<Named>): Route {
  return definition as unknown as Route;
}

/** A single record, bare or under `data` as the variant wants it. */
export function recordAnswer({ variants }: SandboxContext, status: number, record: object): Answer {
  return { status, body: variants.singleRecord === 'data' ? { data: record } : record };
}
