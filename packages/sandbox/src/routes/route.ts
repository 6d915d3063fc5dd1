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

/** What carries out each operation. The input has its type from the catalogue. */
export type Routes = {
  readonly [Name in OperationName]: (
    call: Call<z.output<(typeof operations)[Name]['input']>>,
  ) => Response;
};

/** What documents say of a route beside what follows from its catalogue entry. */
export interface RouteNotes {
  /** Why it may respond with these statuses. */
  readonly problems?: Readonly<Record<number, string>>;
  /** Whether its record is always under `data`. */
  readonly isUnderData?: true;
}

/** A single record, bare or under `data`, depending on the variant. */
export function recordResponse(
  { variants }: SandboxContext,
  status: number,
  record: object,
): Response {
  const body = variants.singleRecord === 'data' ? { data: record } : record;
  return Response.json(body, { status });
}
