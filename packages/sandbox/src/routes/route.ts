import type { Operation } from '@screen-advertising/core';
import type { PartnerAccess } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';

/** An authenticated request with validated input. */
export interface Call<Input> {
  readonly context: SandboxContext;
  readonly access: PartnerAccess;
  readonly input: Input;
  /** The request's origin, such as `http://127.0.0.1:8787`. Links to the sandbox start with it. */
  readonly origin: string;
}

/** The response. Without a body if undefined. */
export interface RouteResponse {
  readonly status: number;
  readonly body: unknown;
}

type InputOf<Named extends Operation> =
  Named extends Operation<string, infer Input> ? Input['_zod']['output'] : never;

export interface Route<Named extends Operation = Operation> {
  readonly operation: Named;
  readonly handle: (call: Call<InputOf<Named>>) => RouteResponse;
  /**
   * Rules whose status the contract states. They run before the general validation, whose status it
   * does not show.
   */
  readonly statedRules?: (input: Record<string, unknown>) => void;
}

/** A route whose input has the type from the catalogue. */
export function route<Named extends Operation>(definition: Route<Named>): Route {
  return definition as unknown as Route;
}

/** A single record, bare or under `data`, depending on the variant. */
export function recordResponse(
  { variants }: SandboxContext,
  status: number,
  record: object,
): RouteResponse {
  return { status, body: variants.singleRecord === 'data' ? { data: record } : record };
}
