import { operations } from '@screen-advertising/core';
import type { Bundle, Create, ZObject } from 'zapier-platform-core';
import { clientFor } from '../lib/client.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { changeTimeoutMs, deadlineMs } from '../lib/limits.ts';
import { outputFields } from '../lib/output-fields.ts';
import { readInput } from '../lib/read-input.ts';
import { revokedCoupon } from '../samples/coupon.ts';

const operation = operations['coupon.revoke'];

async function revokeCoupon(z: ZObject, bundle: Bundle) {
  const input = readInput(operation, bundle.inputData);
  return clientFor(z, bundle, changeTimeoutMs).call(operation, input, { deadlineMs });
}

export default {
  key: 'revoke_coupon',
  noun: 'Coupon',
  display: { label: operation.title, description: operation.description },
  operation: {
    inputFields: inputFields(operation),
    outputFields: outputFields(operation, ['code']),
    sample: revokedCoupon,
    // The service refuses coupons that are no longer active: another run would not change that.
    perform: guarded(revokeCoupon, { haltOn: ['invalid_request'] }),
  },
} satisfies Create;
