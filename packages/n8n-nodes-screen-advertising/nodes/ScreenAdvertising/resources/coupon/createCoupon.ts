import { type FormField, shownFields } from '@screen-advertising/core/forms';
import { leadCouponOperations } from '@screen-advertising/core/lead-coupons';
import type { INodeProperties } from 'n8n-workflow';
import { toProperty } from '../../../../lib/properties';
import { operationFromCatalogue, type SubstituteProperties } from '../../fromCatalogue';

import { dateHasPassedHint } from '../../hints';
import { namedValues, namedValuesProperty } from '../../namedValues';

const operation = leadCouponOperations.create;

/** A number in the unit of the chosen type. */
const discountValue: SubstituteProperties = {
	properties: shownFields(operation)
		.filter(({ name }) => name === 'discount_value')
		.flatMap((field) => [
			inUnit('percent', field, {
				description: 'The size of the discount in percent, greater than 0 and at most 100',
				minimum: 0,
				maximum: 100,
			}),
			inUnit('amount_cents', field, {
				description: 'The size of the discount in currency units, such as 12.50',
				minimum: 0,
				example: '12.5',
			}),
			inUnit('free_days', field, {
				description: 'How many days are free, a whole number',
				type: 'integer',
				minimum: 1,
				example: '14',
			}),
		]),
};

function inUnit(type: string, field: FormField, unit: Partial<FormField>): INodeProperties {
	return {
		...toProperty({ ...field, ...unit, required: false }),
		required: true,
		displayOptions: { show: { discount_type: [type] } },
	};
}

/** Names and values. An expression may also give a value that is not text. */
const leadMetadata: SubstituteProperties = {
	properties: [
		namedValuesProperty(
			{
				displayName: 'Lead Metadata',
				name: 'lead_metadata',
				placeholder: 'Add Metadata',
				default: {},
				description:
					'Anything you want to keep with the coupon, such as a campaign name or a CRM ID',
			},
			{ name: 'crm_id', value: '42' },
		),
	],
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

export const createCoupon = operationFromCatalogue(operation, {
	custom: { discount_value: discountValue, lead_metadata: leadMetadata },
	prepare({ client, context, hints, signal }, input) {
		const { valid_until: end } = input;
		return async () => {
			const coupon = await client.call(operation, input, { signal });
			hints.add(
				dateHasPassedHint(context, 'Valid Until', end, 'the coupon may have expired'),
				'past',
			);
			return coupon;
		};
	},
});
