import type { Bundle, ZObject } from 'zapier-platform-core';
import { type ErrorOptions, toZapierError } from './errors.ts';
import type { Step } from './step.ts';

type Run<Result> = (z: ZObject, bundle: Bundle) => Promise<Result>;

/**
 * Wraps a function of the app so that it throws the errors Zapier acts on, in the words of its
 * step.
 */
export function guarded<Result>(
  run: Run<Result>,
  step: Step,
  options: ErrorOptions = {},
): Run<Result> {
  return async (z, bundle) => {
    try {
      return await run(z, bundle);
    } catch (error) {
      throw toZapierError(z, error, step, options);
    }
  };
}
