import { createHash } from 'node:crypto';
import { InputError, operations } from '@screen-advertising/core';
import { couponConflict } from '@screen-advertising/core/platform';
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import { asWritten } from '../lib/fields/dates.ts';
import { cleaned, isBlank } from '../lib/fields/read-input.ts';
import { createFromCatalogue } from '../lib/steps/from-catalogue.ts';

/**
 * Zapier may run a step again, and does not identify runs: only the code shows that a run is a
 * retry.
 */
const codeHelp =
  'Your own code for the coupon. With it, replaying this step returns the same coupon. Default: the service generates one in the pattern BVCC-XXXX.';

const metadataHelp =
  'Anything you want to keep with the coupon, such as a CRM ID: names on the left, values on the right. Values are sent as text.';

const codePrefix: PlainInputField = {
  key: 'code_prefix',
  label: 'Code Prefix',
  type: 'string',
  required: false,
  placeholder: 'WELCOME',
  helpText:
    'Instead of Code: makes one code for each lead, such as WELCOME-7KQ2M9XA4T. With it, replaying this step returns the same coupon.',
};

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

export default createFromCatalogue(operations['coupon.create'], {
  extras: {
    code: { helpText: codeHelp },
    valid_until: { type: 'datetime' },
    lead_metadata: { helpText: metadataHelp },
  },
  moreFields: [codePrefix, metadataJson],
  prepare: withCodeAndMetadata,
  advice: { conflict: ({ problem }) => afterConflict[couponConflict(problem)] },
});

function withCodeAndMetadata(bundle: Bundle, label: string): Record<string, unknown> {
  const {
    code_prefix: prefix,
    lead_metadata_json: json,
    ...input
  } = asWritten(bundle, ['valid_until']);
  const both = (field: string, other: string): InputError =>
    new InputError(label, [{ field, message: `must be empty when ${other} is filled in` }]);
  if (!isBlank(prefix)) {
    if (!isBlank(input.code)) throw both('code_prefix', 'Code');
    input.code = codeOf(String(cleaned(prefix)), input.lead_email);
  }
  if (isBlank(json)) return input;
  if (isBlank(input.lead_metadata)) return { ...input, lead_metadata: json };
  throw both('lead_metadata_json', 'Lead Metadata');
}

/** Easy to read out: without the letters I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Of a million leads, two share a code once in 2,000 times: the service refuses the second one. */
function codeOf(prefix: string, leadEmail: unknown): string {
  const lead = String(cleaned(leadEmail) ?? '').toLowerCase();
  const bytes = createHash('sha256')
    .update(JSON.stringify([prefix, lead]))
    .digest();
  const letters = [...bytes.subarray(0, 10)].map((byte) => alphabet[byte % alphabet.length]);
  return `${prefix}-${letters.join('')}`;
}
