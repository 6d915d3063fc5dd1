import { InputError, operations, ScreenAdvertisingError } from '@screen-advertising/core';
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
		if (options.safeRetries !== true) {
			if (options.codePrefix !== undefined) throw uselessPrefix();
			return await client.call(operation, input, { signal });
		}
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

function uselessPrefix(): InputError {
	return new InputError(operation.title, [
		{
			field: codePrefixOption.displayName,
			message: `has no effect without '${safeRetriesOption.displayName}': add that option, or remove this one`,
		},
	]);
}

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
