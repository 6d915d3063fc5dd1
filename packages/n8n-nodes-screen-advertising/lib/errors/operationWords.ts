import { formFields } from '@screen-advertising/core/forms';
import type { ScreenAdvertisingError } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';

/** What n8n shows: the title says what happened, the description what to do about it. */
export interface Words {
	readonly message: string;
	readonly description: string;
}

/** What the words may name. */
export interface Facts {
	readonly operation?: Task | undefined;
	/** What the user put into a field, by its name in the catalogue; empty when there is nothing. */
	readonly given: (name: string) => string;
}

type ByOperation = Readonly<
	Record<string, (facts: Facts, error?: ScreenAdvertisingError) => Words>
>;

const screenMissing = ({ given }: Facts): Words => ({
	message: `No screen has the ID "${given('screenId')}", or it cannot be booked (404)`,
	description:
		'Check the ID, or choose the screen From List. The operation Get Many of the resource Screen gives the IDs of all screens that can be booked.',
});

const couponMissing = ({ given }: Facts): Words => ({
	message: `No coupon has the code "${given('code')}" (404)`,
	description:
		'Check the code for typing mistakes: the output of Create Coupon holds it in its field code. A coupon that another access created is not found with this credential.',
});

/** What was asked for by its name and is not there (404). */
export const missing: ByOperation = {
	'screen.get': screenMissing,
	'screen.availability': screenMissing,
	'coupon.get': couponMissing,
	'coupon.revoke': couponMissing,
	'campaignRequest.get': ({ given }) => ({
		message: `No campaign request of yours has the ID "${given('id')}" (404)`,
		description:
			'Check the ID, or choose the campaign request From List. The operation Get Many of the resource Campaign Request gives the IDs of all of yours.',
	}),
};

/** The same for what has no words of its own; undefined where nothing was asked for by its name. */
export function recordMissing({ operation, given }: Facts): Words | undefined {
	const field = operation && formFields(operation).find(({ place }) => place === 'path');
	if (!field) return undefined;
	return {
		message: `${operation.title} found nothing under "${given(field.name)}" (404)`,
		description: `Check the field ${field.title} for typing mistakes. What another access owns is not found with this credential.`,
	};
}

/** A 404 where nothing was asked for by its name. */
export const addressUnknown: Words = {
	message: 'Nothing answers as the partner interface at the base URL (404)',
	description: 'Check the base URL in the credential of this node: it ends in /api/v1.',
};

const revoked = ({ given }: Facts): Words => ({
	message: `Coupon "${given('code')}" cannot be revoked: it is no longer active, or was redeemed`,
	description:
		'Nothing is left to do when it was to be gone. The operation Get of the resource Coupon shows its status.',
});

const filters = (named: string): Words => ({
	message: 'The service refused the filters',
	description: `Change the filter that it names, then run this again. ${named}`,
});

const period =
	'From and To are the first and the last day, written YYYY-MM-DD, and To is not before From.';
const places =
	'Write Orientation as the field orientation of a screen does, and Bounding Box as the service wants it, usually west,south,east,north.';

/** What was sent and not accepted (400, 422 and so on). */
export const refusals: ByOperation = {
	'screen.list': () => filters(places),
	'screen.findAvailable': () => filters(`${period} ${places}`),
	'screen.availabilityChanged': () => filters(`${period} ${places}`),
	'screen.get': ({ given }) => ({
		message: `The service refused the screen ID "${given('screenId')}"`,
		description: 'Choose the screen From List, or copy the ID from the output of Get Many.',
	}),
	'screen.availability': ({ given }) => ({
		message: `The service refused the period for screen "${given('screenId')}"`,
		description: `Change From or To. ${period}`,
	}),
	'coupon.create': () => ({
		message: 'The service refused the coupon',
		description:
			'Change the field that it names. Discount Value is at most 100 for Percent; a Valid Until in the past, or a Code that the service cannot take, are refused as well.',
	}),
	'coupon.get': ({ given }) => ({
		message: `The service refused the code "${given('code')}"`,
		description: 'Copy the code from the output of Create Coupon, without anything around it.',
	}),
	'coupon.revoke': revoked,
	'user.lookup': () => ({
		message: 'The service refused the look-up',
		description:
			'Check the email address or the VAT identifier for typing mistakes. A VAT identifier starts with its country, such as DE123456789.',
	}),
	'landingLink.create': () => ({
		message: 'The service refused the landing link',
		description:
			'Use the fields that the Screen Advertising team agreed on with you, spelled as they were given.',
	}),
	'campaignRequest.list': () =>
		filters(
			'Write From and To as YYYY-MM-DD, and Industry as the field industry of a campaign request does.',
		),
	'campaignRequest.get': ({ given }) => ({
		message: `The service refused the campaign request ID "${given('id')}"`,
		description:
			'Choose the campaign request From List, or copy the ID from the output of Get Many.',
	}),
};

/** What is taken (409). */
export const conflicts: ByOperation = {
	'coupon.create': ({ given }, error) => {
		const [code, lead] = [given('code'), given('lead_email')];
		const codeTaken = `The code "${code}" is taken: choose another one. With Safe Retries the node goes on with that coupon when it is this lead's.`;
		const leadHasOne =
			'A lead can have one active coupon of yours at a time. Find its code in the output of the execution that created it, then use Get to read the coupon, or Revoke to make room for a new one.';
		switch (takenBy(code, error)) {
			case 'code':
				return { message: `The coupon code "${code}" is taken (409)`, description: codeTaken };
			case 'lead':
				return { message: `${lead} already has an active coupon (409)`, description: leadHasOne };
			default:
				return {
					message: `The code "${code}" is taken, or ${lead} has an active coupon (409)`,
					description: `${codeTaken} ${leadHasOne}`,
				};
		}
	},
	'coupon.revoke': (facts) => {
		const { message, description } = revoked(facts);
		return { message: `${message} (409)`, description };
	},
};

/**
 * Which of the two conflicts of the contract it is. Values of `type` are not shown, so its words
 * are looked at; without a code of the user's it can be the lead alone.
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
