import { operations } from '@screen-advertising/core';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { found } from '../lib/found.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { readInput } from '../lib/read-input.ts';
import type { Step } from '../lib/step.ts';

const operation = operations['coupon.get'];

const step: Step = {
  label: 'Find Coupon',
  scopes: operation.scopes,
  fields: inputFields(operation),
};

async function findCoupon(z: ZObject, bundle: Bundle) {
  const input = readInput(operation, bundle.inputData);
  return found(clientFor(z, bundle).call(operation, input, { deadlineMs }));
}

export default {
  key: 'find_coupon',
  noun: 'Coupon',
  display: { label: step.label, description: 'Finds a coupon by its code.' },
  operation: {
    inputFields: step.fields,
    outputFields: outputFields(operation, ['code']),
    sample: operation.sample,
    perform: guarded(findCoupon, step),
  },
} satisfies Search;
