import { InputError, type LandingLink, operations } from '@screen-advertising/core';
import { formText, readJsonObject } from '@screen-advertising/core/forms';
import type { INodeProperties } from 'n8n-workflow';
import { operationFromCatalogue } from '../../fromCatalogue';
import { namedValues, namedValuesProperty } from '../../namedValues';
import { toPropertyDescription } from '../../../../lib/properties';
import { readProperty, writtenParameters } from '../../../../lib/values';

const operation = operations['landingLink.create'];
const help = toPropertyDescription(formText(operation).description);
const example = '{"utm_campaign": "spring"}';

const specifyProperty: INodeProperties = {
	displayName: 'Specify Fields',
	name: 'specifyFields',
	type: 'options',
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'fields',
	description: 'How to enter the fields of the landing link',
};

/** The contract does not show the fields of a landing link, so the user names them. */
const properties: INodeProperties[] = [
	specifyProperty,
	{
		...namedValuesProperty(
			{
				displayName: 'Fields',
				name: 'fields',
				placeholder: 'Add Field',
				// A link needs one, so the form opens with it.
				default: { field: [{ name: '', value: '' }] },
				description: help,
			},
			{ name: 'utm_campaign', value: 'spring' },
		),
		displayOptions: { show: { specifyFields: ['fields'] } },
	},
	{
		displayName: 'JSON',
		name: 'fieldsJson',
		type: 'json',
		default: '{}',
		displayOptions: { show: { specifyFields: ['json'] } },
		description: help,
	},
];

export const createLandingLink = operationFromCatalogue(operation, {
	form: {
		required: properties,
		optional: [],
		read(item) {
			const { context, index } = item;
			const { title } = operation;
			const specified = context.getNodeParameter('specifyFields', index);
			const { fields: written } = writtenParameters(context);
			const pairs = { title, label: 'Fields', written, type: 'text' } as const;
			const input =
				readProperty(title, specifyProperty, specified) === 'json'
					? readJsonObject(title, 'JSON', context.getNodeParameter('fieldsJson', index), example)
					: namedValues(item, pairs, context.getNodeParameter('fields', index, {}));
			if (Object.keys(input).length === 0) throw nothingNamed();
			return input;
		},
	},
	prepare:
		({ client, signal, hints }, input) =>
		async () => {
			const link = await client.call(operation, input, { signal });
			hints.add(missingHint(link, input), 'missing');
			return link;
		},
});

/** A misspelled name such as "UTM Campaign" is accepted, too, and its visitors belong to no campaign. */
function missingHint({ url }: LandingLink, given: object): string | undefined {
	const text = String(url ?? '');
	if (!URL.canParse(text)) return undefined;
	const { href, searchParams } = new URL(text);
	const shown = [...searchParams.values(), decodeURI(href)].join('\n');
	const missing = Object.entries(given)
		.filter(([, value]) => typeof value !== 'object' && !shown.includes(String(value)))
		.map(([name]) => `"${name}"`);
	if (missing.length === 0) return undefined;
	return `The link does not contain the value of ${missing.join(', ')}. If it should, check how the field is spelled, such as utm_campaign.`;
}

/** The service accepts a link without fields, but its visitors then belong to no campaign. */
function nothingNamed(): InputError {
	const message = 'needs at least one field, such as utm_campaign';
	return new InputError(operation.title, [{ field: 'Fields', message }]);
}
