import { InputError, operations } from '@screen-advertising/core';
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import { asWritten } from '../lib/dates.ts';
import { createFromCatalogue, fullCoupon } from '../lib/from-catalogue.ts';
import { isBlank } from '../lib/read-input.ts';

/**
 * Zapier may run a step again, and does not identify runs: only the code shows that a run is a
 * retry.
 */
const codeHelp =
  'Your own code for the coupon. With it, replaying this step returns the same coupon. Default: the service generates one in the pattern BVCC-XXXX.';

const metadataHelp =
  'Anything you want to keep with the coupon, such as a CRM ID: names on the left, values on the right. Values are sent as text.';

/** Pairs of text cannot hold numbers, or true and false. */
const metadataJson: PlainInputField = {
  key: 'lead_metadata_json',
  label: 'Lead Metadata (JSON)',
  type: 'text',
  required: false,
  placeholder: '{"crm_id": 42, "is_customer": true}',
  helpText: 'Instead of Lead Metadata, for values that are not text.',
};

export default createFromCatalogue(operations['coupon.create'], {
  extras: {
    code: { helpText: codeHelp },
    valid_until: { type: 'datetime' },
    lead_metadata: { helpText: metadataHelp },
  },
  moreFields: [metadataJson],
  prepare: withMetadata,
  advice: { conflict: 'Use another Code, or revoke the active coupon of the lead first.' },
  sample: fullCoupon,
});

function withMetadata(bundle: Bundle, label: string): Record<string, unknown> {
  const { lead_metadata_json: json, ...input } = asWritten(bundle, ['valid_until']);
  if (isBlank(json)) return input;
  if (isBlank(input.lead_metadata)) return { ...input, lead_metadata: json };
  const message = 'must be empty when Lead Metadata is filled in';
  throw new InputError(label, [{ field: 'lead_metadata_json', message }]);
}
