import { InputError } from '@screen-advertising/core';
import { leadCouponOperations } from '@screen-advertising/core/lead-coupons';
import type { ZapierOnlyField } from '../lib/fields.ts';
import { runDeadlineMs } from '../lib/limits.ts';
import { createFromCatalogue } from '../lib/steps.ts';

const metadataHelp =
  'Anything you want to keep with the coupon, such as a CRM ID: names on the left, values on the right. Values are sent as text.';

/** Pairs of text cannot hold numbers, or true and false. */
const metadataJson: ZapierOnlyField = {
  name: 'lead_metadata_json',
  title: 'Lead Metadata (JSON)',
  type: 'json',
  required: false,
  in: 'body',
  description: 'Instead of Lead Metadata, for values that are not text.',
};

export default createFromCatalogue(leadCouponOperations.create, {
  extras: {
    lead_metadata: { helpText: metadataHelp },
    lead_metadata_json: {
      type: 'text',
      dict: false,
      placeholder: '{"crm_id": 42, "is_customer": true}',
    },
    // Zapier may run a step again.
    if_code_exists: { default: 'return' },
  },
  more: [metadataJson],
  prepare: withMetadata,
  // The second attempt is for a lost response: the same request shows what became of the first.
  callOptions: { deadlineMs: runDeadlineMs, retry: { attempts: 2, maxWaitMs: 0 } },
});

type Values = Readonly<Record<string, unknown>>;

function withMetadata({ lead_metadata_json: json, ...input }: Values, label: string): Values {
  if (json === undefined) return input;
  if (input.lead_metadata === undefined) return { ...input, lead_metadata: json };
  const message = 'must be empty when Lead Metadata is filled in';
  throw new InputError(label, [{ field: 'lead_metadata_json', message }]);
}
