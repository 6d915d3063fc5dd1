import { InputError, operations } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { couponCode } from './couponCode';
import { form } from '../../form';
import { namedValues, namedValuesProperty } from '../../namedValues';
import { type Item, type NodeOperation, send } from '../../operation';
import { codePrefix, codePrefixOption, hasSafeRetries, safeRetriesOption } from '../../options';

const operation = operations['coupon.create'];

const leadMetadataFields = namedValuesProperty(
	{
		displayName: 'Lead Metadata Fields',
		name: 'leadMetadataFields',
		placeholder: 'Add Metadata Field',
		description: 'The same as Lead Metadata, written as names and values instead of JSON',
	},
	{ name: 'crm_id', value: '42' },
);

const fields = form(operation, { dates: ['valid_until'], extra: [leadMetadataFields] });

export const createCoupon: NodeOperation = {
	operation,
	value: 'create',
	name: 'Create',
	action: 'Create coupon',
	properties: fields.properties,
	options: [safeRetriesOption, codePrefixOption],
	async run(item) {
		const input = withLeadMetadata(item, fields.read(item.context, item.index));
		if (!hasSafeRetries(item)) return await send(item, operation, input);
		const { code = codePrefix(item) + couponCode(item.context, item.index, input.lead_email) } =
			input;
		return await send(item, operation, { ...input, code }, { adoptExisting: true });
	},
};

/** Lead metadata from names and values, when given so. Throws InputError when given both ways. */
function withLeadMetadata(
	{ context, index }: Item,
	input: Record<string, unknown>,
): Record<string, unknown> {
	const chosen = context.getNodeParameter('additionalFields', index, {}) as IDataObject;
	if (chosen.leadMetadataFields === undefined) return input;
	const named = namedValues(operation.title, chosen.leadMetadataFields);
	if (Object.keys(named).length === 0) return input;
	if (input.lead_metadata === undefined) return { ...input, lead_metadata: named };
	throw new InputError(operation.title, [
		{ field: 'lead_metadata', message: 'is given as JSON and as fields: keep one of the two' },
	]);
}
