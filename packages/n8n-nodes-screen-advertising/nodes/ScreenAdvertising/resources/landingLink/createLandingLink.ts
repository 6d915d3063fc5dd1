import { InputError, type LandingLink, operations } from '@screen-advertising/core';
import { formText } from '@screen-advertising/core/forms';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { fromCatalogue } from '../../fromCatalogue';
import { namedValues, namedValuesProperty } from '../../namedValues';
import { toDescription } from '../../../../lib/properties';
import { readJson, readProperty } from '../../../../lib/values';

const operation = operations['landingLink.create'];
const help = toDescription(formText(operation).description);

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
			{ displayName: 'Fields', name: 'fields', placeholder: 'Add Field', description: help },
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

export const createLandingLink = fromCatalogue(operation, {
	form: {
		required: properties,
		optional: [],
		read(context, index) {
			const input =
				readProperty(
					operation.title,
					specifyProperty,
					context.getNodeParameter('specifyFields', index),
				) === 'json'
					? readObject(context.getNodeParameter('fieldsJson', index))
					: namedValues(operation.title, context.getNodeParameter('fields', index, {}));
			if (Object.keys(input).length === 0) throw nothingNamed();
			return input;
		},
	},
	async call({ client, signal, hints }, input) {
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

function readObject(given: unknown): IDataObject {
	const fields = readJson(operation.title, 'JSON', given);
	if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
		return fields as IDataObject;
	}
	throw new InputError(operation.title, [
		{ field: 'JSON', message: 'must be an object with fields, such as {"utm_campaign": "spring"}' },
	]);
}
