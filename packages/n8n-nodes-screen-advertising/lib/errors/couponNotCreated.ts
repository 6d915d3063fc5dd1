import type { ScreenAdvertisingError } from '@screen-advertising/core';
import { couponConflict } from '@screen-advertising/core/platform';

/** Describes a 409 of Create Coupon; `given` returns what the user entered in a field. */
export function couponNotCreated(
	given: (name: string) => string,
	error?: ScreenAdvertisingError,
): { readonly message: string; readonly description: string } {
	const [code, lead] = [given('code'), given('lead_email')];
	const leadHasOne =
		'A lead can have only one active coupon from you at a time. Find its code in the output of the execution that created it, then use Get to read it, or Revoke to make room for a new one.';
	const otherCode =
		given('safeRetries') === 'true'
			? "Change 'Code': 'Safe Retries' returns an existing coupon only if its lead and discount match."
			: "Change 'Code'. With 'Safe Retries', the node returns the existing coupon if its lead and discount match.";
	switch (couponConflict(error?.problem, code)) {
		case 'code':
			return {
				message: `A coupon with the code "${code}" already exists (409)`,
				description: otherCode,
			};
		case 'lead':
			return { message: `${lead} already has an active coupon (409)`, description: leadHasOne };
		default:
			return {
				message: `The code "${code}" already exists, or ${lead} has an active coupon (409)`,
				description: `${otherCode} ${leadHasOne}`,
			};
	}
}
