import { operations, ScreenAdvertisingError } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { type CustomField, form } from '../../form';
import { namedValues, namedValuesProperty } from '../../namedValues';
import type { NodeOperation } from '../../operation';
import { codePrefixOption, safeCode, safeRetriesOption } from './safeRetries';

const operation = operations['coupon.create'];

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
	read(given) {
		const named = namedValues(operation.title, given);
		return Object.keys(named).length > 0 ? named : undefined;
	},
};

const fields = form(operation, {
	dates: ['valid_until'],
	custom: { lead_metadata: leadMetadata },
});

export const createCoupon: NodeOperation = {
	operation,
	value: 'create',
	name: 'Create',
	action: 'Create coupon',
	properties: [...fields.required, ...fields.optional],
	options: [safeRetriesOption, codePrefixOption],
	async run({ context, client, index, signal }) {
		const input = fields.read(context, index);
		const options = context.getNodeParameter('options', index, {}) as IDataObject;
		if (options.safeRetries !== true) return await client.call(operation, input, { signal });
		if (input.code === undefined) {
			// Only an attempt of this execution can have used the code, so the coupon is new.
			const code = safeCode(context, index, input.lead_email, options);
			const more = { signal, adoptExisting: true };
			return { ...(await client.call(operation, { ...input, code }, more)), created: true };
		}
		return await client.call(operation, input, { signal }).then(
			(coupon) => ({ ...coupon, created: true }),
			async (error: unknown) => {
				if (!isConflict(error)) return await Promise.reject(error);
				const found = await client.call(operation, input, { signal, adoptExisting: true });
				return { ...found, created: false };
			},
		);
	},
};

function isConflict(error: unknown): boolean {
	return ScreenAdvertisingError.isInstance(error) && error.code === 'conflict';
}
