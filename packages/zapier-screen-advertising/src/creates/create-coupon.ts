import { operations } from '@screen-advertising/core';
import type { Bundle, Create, ZObject } from 'zapier-platform-core';
import { changing, clientFor } from '../lib/client.ts';
import { guarded } from '../lib/guarded.ts';
import { inputFields } from '../lib/input-fields.ts';
import { outputFields } from '../lib/output-fields.ts';
import { readInput } from '../lib/read-input.ts';
import type { Step } from '../lib/step.ts';

const operation = operations['coupon.create'];

/**
 * Zapier may run a step again, and does not identify runs: only the code shows that a run is a
 * retry.
 */
const codeHelp =
  'Your own code for the coupon. With it, replaying this step returns the same coupon. Default: the service generates one in the pattern BVCC-XXXX.';

const metadataHelp =
  'Anything you want to keep with the coupon, such as a CRM ID: names on the left, values on the right.';

const step: Step = {
  label: operation.title,
  scopes: operation.scopes,
  fields: inputFields(operation, {
    extras: { code: { helpText: codeHelp }, lead_metadata: { helpText: metadataHelp } },
  }),
  advice: { conflict: 'Use another Code, or revoke the active coupon of the lead first.' },
};

async function createCoupon(z: ZObject, bundle: Bundle) {
  const input = readInput(operation, bundle.inputData);
  return clientFor(z, bundle, changing).call(operation, input, { adoptExisting: true });
}

export default {
  key: 'create_coupon',
  noun: 'Coupon',
  display: { label: step.label, description: operation.description },
  operation: {
    inputFields: step.fields,
    outputFields: outputFields(operation, ['code']),
    sample: operation.sample,
    perform: guarded(createCoupon, step),
  },
} satisfies Create;
