import { operations } from '@screen-advertising/core';
import type { PlainInputField } from 'zapier-platform-core';
import { cleaned, isBlank } from '../lib/fields/read-input.ts';
import { searchFromCatalogue } from '../lib/steps/from-catalogue.ts';

const onlyActive: PlainInputField = {
  key: 'only_active',
  label: 'Only Active',
  type: 'boolean',
  required: false,
  helpText:
    'Yes: finds the coupon only while its status is active. Default: also finds it revoked, redeemed or expired.',
};

const leadEmail: PlainInputField = {
  key: 'lead_email',
  label: 'Lead Email',
  type: 'string',
  required: false,
  placeholder: 'lead@example.com',
  helpText: 'Finds the coupon only if it belongs to this lead. Default: any lead.',
};

interface Coupon {
  readonly status?: unknown;
  readonly lead_email?: unknown;
}

/** Why the coupon with the code is not the one that the step asks for; undefined if it is. */
function mismatch(
  { status, lead_email }: Coupon,
  { only_active, lead_email: wanted }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (/^(true|yes|1)$/i.test(String(cleaned(only_active))) && plain(status) !== 'active') {
    return isBlank(status)
      ? 'The service shows no status of the coupon, so it does not count as active.'
      : 'The coupon is not active.';
  }
  if (isBlank(wanted) || plain(lead_email) === plain(wanted)) return undefined;
  return isBlank(lead_email)
    ? 'The service does not show whose coupon it is.'
    : 'The coupon belongs to another lead.';
}

const plain = (value: unknown): string =>
  String(value ?? '')
    .trim()
    .toLowerCase();

export default searchFromCatalogue(operations['coupon.get'], {
  description: 'Finds a coupon by its code, whatever its status.',
  moreFields: [onlyActive, leadEmail],
  mismatch,
});
