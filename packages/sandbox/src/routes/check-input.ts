import type { Operation } from '@screen-advertising/core';
import type { SandboxContext } from '../context.ts';
import { Refusal } from '../http/refusal.ts';

/** Parses the input with the catalogue's schema. The error names every invalid field. */
export function checkInput(
  { variants }: SandboxContext,
  { input: schema }: Pick<Operation, 'input'>,
  input: unknown,
): unknown {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')} ${message}` : message,
  );
  throw invalidParameter(variants, `${faults.join('; ')}.`);
}

export function invalidParameter(variants: SandboxContext['variants'], detail: string): Refusal {
  return new Refusal(Number(variants.invalidParameter), 'invalid-parameter', detail);
}
