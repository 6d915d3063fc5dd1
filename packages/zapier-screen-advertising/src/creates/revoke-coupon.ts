import { operations } from '@screen-advertising/core';
import type { Bundle, Create, ZObject } from 'zapier-platform-core';
import { changing, clientFor } from '../lib/client.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { readInput } from '../lib/read-input.ts';
import type { Step } from '../lib/step.ts';

const operation = operations['coupon.revoke'];

const step: Step = {
  label: operation.title,
  scopes: operation.scopes,
  fields: inputFields(operation),
  advice: {
    invalid_request: 'Find Coupon shows the state of the coupon.',
    not_found: 'Check Code.',
  },
};

async function revokeCoupon(z: ZObject, bundle: Bundle) {
  const input = readInput(operation, bundle.inputData);
  return clientFor(z, bundle, changing).call(operation, input, { deadlineMs });
}

export default {
  key: 'revoke_coupon',
  noun: 'Coupon',
  display: {
    label: step.label,
    description: `${operation.description} This cannot be undone.`,
  },
  operation: {
    inputFields: step.fields,
    outputFields: outputFields(operation, ['code']),
    sample: operation.sample,
    // The service refuses coupons that are no longer active: another run would not change that.
    perform: guarded(revokeCoupon, step, { haltOn: ['invalid_request'] }),
  },
} satisfies Create;
