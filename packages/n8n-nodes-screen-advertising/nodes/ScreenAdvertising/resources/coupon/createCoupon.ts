import { leadCoupons } from '@screen-advertising/core/lead-coupons';
import type { CustomField } from '../../form';
import { fromCatalogue } from '../../fromCatalogue';
import { pastHint } from '../../hints';
import { namedValues, namedValuesProperty } from '../../namedValues';

const operation = leadCoupons.create;

/** Names and values. An expression may also give a value that is not text. */
const leadMetadata: CustomField = {
	property: namedValuesProperty(
		{
			displayName: 'Lead Metadata',
			name: 'lead_metadata',
			placeholder: 'Add Metadata',
			description: 'Anything you want to keep with the coupon, such as a campaign name or a CRM ID',
		},
		{ name: 'crm_id', value: '42' },
	),
	read(item, given, written) {
		const pairs = {
			title: operation.title,
			label: 'Lead Metadata',
			written,
			type: 'json',
		} as const;
		const named = namedValues(item, pairs, given);
		return Object.keys(named).length > 0 ? named : undefined;
	},
};

export const createCoupon = fromCatalogue(operation, {
	custom: { lead_metadata: leadMetadata },
	prepare({ client, context, hints, signal }, input) {
		const { valid_until: end } = input;
		return async () => {
			const coupon = await client.call(operation, input, { signal });
			hints.add(pastHint(context, 'Valid Until', end, 'the coupon may have expired'), 'past');
			return coupon;
		};
	},
});
