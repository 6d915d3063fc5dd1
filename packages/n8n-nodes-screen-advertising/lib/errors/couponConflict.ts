import type { ScreenAdvertisingError } from '@screen-advertising/core';

/** Describes a 409 of Create Coupon; `given` returns what the user entered in a field. */
export function couponConflict(
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
	switch (takenBy(code, error)) {
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

/**
 * Distinguishes the contract's two conflicts by their words, since the contract does not show the
 * values of `type`. Without a code from the user, only the lead can conflict.
 */
function takenBy(code: string, error?: ScreenAdvertisingError): 'code' | 'lead' | 'either' {
	if (code === '') return 'lead';
	const said = `${error?.problem?.title ?? ''} ${error?.problem?.detail ?? ''}`.replaceAll(
		code,
		'',
	);
	const isLead = /\blead|e-?mail|active/i.test(said);
	const isCode = /\bcode\b.*\b(taken|use|exists?)/i.test(said);
	if (isLead === isCode) return 'either';
	return isLead ? 'lead' : 'code';
}
