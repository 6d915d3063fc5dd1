import type { ScreenAdvertisingError } from '@screen-advertising/core';
import { couponConflict } from '@screen-advertising/core/platform';

/** Describes a 409 of Create Coupon; `given` returns what the user entered in a field. */
export function couponNotCreated(
	given: (name: string) => string,
	error?: ScreenAdvertisingError,
): { readonly message: string; readonly description: string } {
	const [code, lead] = [given('code'), given('lead_email')];
	const leadHasOne =
		'A lead can have only one active coupon from you at a time. Get it by the lead, or by its code in the output of the execution that created it, or revoke it to make room for a new one.';
	const otherCode =
		given('if_code_exists') === 'return'
			? "Change 'Code': an existing coupon is returned only if its lead and discount match."
			: "Change 'Code', or set 'If the Code Exists' to 'Return It' for a coupon with the same lead and discount.";
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
