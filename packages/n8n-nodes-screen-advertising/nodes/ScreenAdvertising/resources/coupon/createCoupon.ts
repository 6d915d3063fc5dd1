import { InputError, operations } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { form } from '../../form';
import { namedValues, namedValuesProperty } from '../../namedValues';
import type { NodeOperation } from '../../operation';
import { codePrefixOption, safeCode, safeRetriesOption } from './safeRetries';

const operation = operations['coupon.create'];

const leadMetadataFields = namedValuesProperty(
	{
		displayName: 'Lead Metadata Fields',
		name: 'leadMetadataFields',
		placeholder: 'Add Metadata Field',
		description: 'Lead Metadata as names and values instead of JSON',
	},
	{ name: 'crm_id', value: '42' },
);

const fields = form(operation, { dates: ['valid_until'], extra: [leadMetadataFields] });

type Input = ReturnType<typeof fields.read>;

export const createCoupon: NodeOperation = {
	operation,
	value: 'create',
	name: 'Create',
	action: 'Create coupon',
	properties: [...fields.required, ...fields.optional],
	options: [safeRetriesOption, codePrefixOption],
	async run({ context, client, index, signal }) {
		const input = fields.read(context, index);
		const { leadMetadataFields: metadata } = context.getNodeParameter(
			'additionalFields',
			index,
			{},
		) as IDataObject;
		if (metadata !== undefined) addLeadMetadata(input, metadata);
		const options = context.getNodeParameter('options', index, {}) as IDataObject;
		const adoptExisting = options.safeRetries === true;
		if (adoptExisting) input.code ??= safeCode(context, index, input.lead_email, options);
		return await client.call(operation, input, { signal, adoptExisting });
	},
};

/** Lead metadata from names and values. Throws InputError if the user fills in both forms. */
function addLeadMetadata(input: Input, given: unknown): void {
	const named = namedValues(operation.title, given);
	if (Object.keys(named).length === 0) return;
	if (input.lead_metadata !== undefined) {
		throw new InputError(operation.title, [
			{ field: 'lead_metadata', message: 'is set both as JSON and as fields: keep one of the two' },
		]);
	}
	input.lead_metadata = named;
}
