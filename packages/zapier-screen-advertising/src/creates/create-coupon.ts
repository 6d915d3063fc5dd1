import { InputError } from '@screen-advertising/core';
import { leadCoupons } from '@screen-advertising/core/lead-coupons';
import { couponConflict } from '@screen-advertising/core/platform';
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import { asWritten } from '../lib/fields/dates.ts';
import { isBlank } from '../lib/fields/read-input.ts';
import { deadlineMs } from '../lib/limits.ts';
import { createFromCatalogue } from '../lib/steps/from-catalogue.ts';

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

const afterConflict = {
  code: 'Use another Code.',
  lead: 'Revoke the active coupon of the lead first.',
  either: 'Use another Code, or revoke the active coupon of the lead first.',
};

export default createFromCatalogue(leadCoupons.create, {
  extras: {
    valid_until: { type: 'datetime' },
    lead_metadata: { helpText: metadataHelp },
    // Zapier may run a step again.
    if_code_exists: { default: 'return' },
  },
  moreFields: [metadataJson],
  prepare: withMetadata,
  // The second attempt is for a lost response: the same request shows what became of the first.
  callOptions: { deadlineMs, retry: { attempts: 2, maxWaitMs: 0 } },
  advice: {
    conflict: ({ name, problem, remedy = '' }) =>
      name === 'ProblemError' ? afterConflict[couponConflict(problem)] : remedy,
  },
});

function withMetadata(bundle: Bundle, label: string): Record<string, unknown> {
  const { lead_metadata_json: json, ...input } = asWritten(bundle, ['valid_until']);
  if (isBlank(json)) return input;
  if (isBlank(input.lead_metadata)) return { ...input, lead_metadata: json };
  const message = 'must be empty when Lead Metadata is filled in';
  throw new InputError(label, [{ field: 'lead_metadata_json', message }]);
}
