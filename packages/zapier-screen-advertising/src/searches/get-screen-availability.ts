import { operations } from '@screen-advertising/core';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { screenDropdown } from '../dropdowns/screen-list.ts';
import { withAmounts } from '../lib/amounts.ts';
import { clientFor } from '../lib/client.ts';
import { found } from '../lib/found.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { nextDaysField, optionalPeriod, withPeriod } from '../lib/period.ts';
import { readInput } from '../lib/read-input.ts';
import type { Step } from '../lib/step.ts';

const operation = operations['screen.availability'];

const step: Step = {
  label: 'Find Screen Availability',
  scopes: operation.scopes,
  fields: [
    ...inputFields(operation, {
      extras: { ...optionalPeriod, screenId: { ...screenDropdown, search: 'find_screen.id' } },
    }),
    nextDaysField,
  ],
};

async function getScreenAvailability(z: ZObject, bundle: Bundle) {
  const input = readInput(operation, withPeriod(bundle, step.label));
  const availabilities = await found(clientFor(z, bundle).call(operation, input, { deadlineMs }));
  return availabilities.map(withAmounts);
}

export default {
  key: 'get_screen_availability',
  noun: 'Screen Availability',
  display: {
    label: step.label,
    description: 'Finds the share of voice still available on a screen between two dates.',
  },
  operation: {
    inputFields: step.fields,
    outputFields: outputFields(operation, ['screen_id', 'from', 'to']),
    sample: withAmounts(operation.sample),
    perform: guarded(getScreenAvailability, step),
  },
} satisfies Search;
