import { InputError } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../../operation';
import { namedValues, namedValuesProperty } from '../../namedValues';

export const leadMetadataFields = namedValuesProperty(
	{
		displayName: 'Lead Metadata Fields',
		name: 'leadMetadataFields',
		placeholder: 'Add Metadata Field',
		description: 'The same as Lead Metadata, written as names and values instead of JSON',
	},
	{ name: 'crm_id', value: '42' },
);

/** Lead metadata from names and values, when given so. Throws InputError when given both ways. */
export function readLeadMetadata(
	{ context, index }: Item,
	input: Record<string, unknown>,
): Record<string, unknown> {
	const chosen = context.getNodeParameter('additionalFields', index, {}) as IDataObject;
	const named = namedValues('Create Coupon', chosen.leadMetadataFields);
	if (Object.keys(named).length === 0) return input;
	if (input.lead_metadata !== undefined) {
		throw new InputError('Create Coupon', [
			{ field: 'lead_metadata', message: 'is given as JSON and as fields: keep one of the two' },
		]);
	}
	return { ...input, lead_metadata: named };
}
