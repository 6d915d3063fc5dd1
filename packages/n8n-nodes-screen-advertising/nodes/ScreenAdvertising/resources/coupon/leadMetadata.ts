import { InputError } from '@screen-advertising/core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Item } from '../../shared/operation';
import { namedValues } from '../../shared/namedValues';

export const leadMetadataFields: INodeProperties = {
	displayName: 'Lead Metadata Fields',
	name: 'leadMetadataFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Metadata Field',
	default: {},
	description: 'The same as Lead Metadata, written as names and values instead of JSON',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. crm_id',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. 42',
				},
			],
		},
	],
};

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
