import { isEmpty } from '@screen-advertising/core/forms';
import { leadCouponOperations } from '@screen-advertising/core/lead-coupons';
import type { ZapierOnlyField } from '../lib/fields.ts';
import { searchFromCatalogue } from '../lib/steps.ts';

const onlyActive: ZapierOnlyField = {
  name: 'only_active',
  title: 'Only Active',
  type: 'toggle',
  required: false,
  in: 'query',
  description:
    'Yes: finds the coupon only while it is active. In Find or Create, also choose Create Another, or the same coupon is returned.',
};

/** Why the coupon is not the one that the step asks for; undefined if it is. */
function mismatch(
  { status }: { readonly status?: unknown },
  { only_active }: Readonly<Record<string, unknown>>,
): string | undefined {
  const shown = isEmpty(status) ? '' : String(status).trim();
  if (only_active !== true || shown.toLowerCase() === 'active') return undefined;
  return shown === ''
    ? 'The service shows no status of the coupon, so it does not count as active.'
    : 'The coupon is not active.';
}

export default searchFromCatalogue(leadCouponOperations.get, {
  description: 'Finds a coupon by its code, or the newest one of a lead, whatever its status.',
  extras: {
    lead_email: {
      helpText:
        'Without Code: finds the newest coupon that was made here for this lead. With Code: finds the coupon only if it is theirs.',
    },
  },
  more: [onlyActive],
  primary: ['code'],
  mismatch,
});
