import { leadCoupons } from '@screen-advertising/core/lead-coupons';
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

/** Why the coupon is not the one that the step asks for; undefined if it is. */
function mismatch(
  { status }: { readonly status?: unknown },
  { only_active }: Readonly<Record<string, unknown>>,
): string | undefined {
  const isWanted = /^(true|yes|1)$/i.test(String(cleaned(only_active)));
  if (!isWanted || String(status).trim().toLowerCase() === 'active') return undefined;
  return isBlank(status)
    ? 'The service shows no status of the coupon, so it does not count as active.'
    : 'The coupon is not active.';
}

export default searchFromCatalogue(leadCoupons.get, {
  description: 'Finds a coupon by its code, or the newest one of a lead, whatever its status.',
  extras: {
    lead_email: {
      helpText:
        'Without Code: finds the newest coupon that was made here for this lead. With Code: finds the coupon only if it is theirs.',
    },
  },
  moreFields: [onlyActive],
  primary: ['code'],
  mismatch,
});
