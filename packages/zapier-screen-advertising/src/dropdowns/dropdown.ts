import type { Scope } from '@screen-advertising/core';
import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { withZapierErrors } from '../lib/errors.ts';

export interface Choice {
  readonly id: string;
  readonly name: string;
}

interface Dropdown {
  readonly key: string;
  readonly noun: string;
  readonly plural: string;
  readonly scopes: readonly Scope[];
  readonly sample: Choice;
  readonly canPaginate?: true;
  /** Returns the choices; `label` is what errors call the list. */
  readonly load: (z: ZObject, bundle: Bundle, label: string) => Promise<Choice[]>;
}

/** A hidden trigger that fills the dropdown of a field. */
export function dropdown({ key, noun, plural, scopes, sample, canPaginate, load }: Dropdown) {
  const label = `List of ${plural}`;
  return {
    key,
    noun,
    display: {
      label,
      description: `Triggers when a list of ${plural.toLowerCase()} to choose from is needed.`,
      hidden: true,
    },
    operation: {
      type: 'polling',
      perform: withZapierErrors((z, bundle) => load(z, bundle, label), {
        label,
        scopes,
        fields: [],
      }),
      ...(canPaginate && { canPaginate }),
      sample: { ...sample },
      outputFields: [
        { key: 'id', label: 'ID', type: 'string', primary: true },
        { key: 'name', label: 'Name', type: 'string' },
      ],
    },
  } satisfies Trigger;
}
