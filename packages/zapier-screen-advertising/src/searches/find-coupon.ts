import { operations } from '@screen-advertising/core';
import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { found } from '../lib/found.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { readInput } from '../lib/read-input.ts';
import { coupon } from '../samples/coupon.ts';

const operation = operations['coupon.get'];

async function findCoupon(z: ZObject, bundle: Bundle) {
  const input = readInput(operation, bundle.inputData);
  return found(clientFor(z, bundle).call(operation, input, { deadlineMs }));
}

export default {
  key: 'find_coupon',
  noun: 'Coupon',
  display: { label: 'Find Coupon', description: 'Finds a coupon by its code.' },
  operation: {
    inputFields: inputFields(operation),
    outputFields: outputFields(operation, ['code']),
    sample: coupon,
    perform: guarded(findCoupon),
  },
} satisfies Search;
