import type { OperationName, operations } from '@screen-advertising/core';
import type * as z from 'zod/mini';
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

/** What carries out each operation. The input has its type from the catalogue. */
export type Routes = {
  readonly [Name in OperationName]: (
    call: Call<z.output<(typeof operations)[Name]['input']>>,
  ) => RouteResponse;
};

/** A single record, bare or under `data`, depending on the variant. */
export function recordResponse(
  { variants }: SandboxContext,
  status: number,
  record: object,
): RouteResponse {
  return { status, body: variants.singleRecord === 'data' ? { data: record } : record };
}
