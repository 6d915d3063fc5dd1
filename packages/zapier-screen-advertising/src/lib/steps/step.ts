import { EmptyCondition } from '@screen-advertising/core/forms';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import type { Step } from '../errors/error-message.ts';
import { type ErrorOptions, withZapierErrors } from '../errors/errors.ts';
import { completed } from '../fields/complete.ts';

interface Parts<Result> {
  /** It must stay: saved Zaps refer to it. */
  readonly key: string;
  readonly noun: string;
  readonly description: string;
  readonly perform: (z: ZObject, bundle: Bundle) => Promise<Result>;
  readonly errors?: ErrorOptions;
  readonly outputFields: NonNullable<Search['operation']['outputFields']>;
  /** Only of a trigger. */
  readonly type?: 'polling';
}

/** A search, a create or a polling trigger; `operation` holds whatever else Zapier takes of it. */
export function defineStep<Result, Operation extends object>(
  step: Step,
  { key, noun, description, perform, errors, ...operation }: Parts<Result> & Operation,
) {
  const place = 'type' in operation ? 'poll' : 'step';
  const run = async (z: ZObject, bundle: Bundle): Promise<Result> => {
    const result = await perform(z, bundle).catch((error: unknown) => {
      if (!(error instanceof EmptyCondition)) throw error;
      z.console.log(error.message);
      return ('canPaginate' in operation ? { results: [], paging_token: null } : []) as Result;
    });
    // Zapier takes only the IDs of these records, of which there may be very many.
    return bundle.meta.isPopulatingDedupe ? result : completed(result, operation.outputFields);
  };
  return {
    key,
    noun,
    display: { label: step.label, description },
    operation: {
      inputFields: step.fields,
      ...operation,
      perform: withZapierErrors(run, { ...step, place }, errors),
    },
  };
}
