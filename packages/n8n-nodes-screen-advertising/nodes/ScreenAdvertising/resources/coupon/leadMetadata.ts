import { InputError, operations } from '@screen-advertising/core';
import type { INodePropertyCollection } from 'n8n-workflow';
import type { CustomField } from '../../form';
import { namedValues, namedValuesProperty } from '../../namedValues';

const named = namedValuesProperty(
	{
		displayName: 'Lead Metadata',
		name: 'lead_metadata',
		placeholder: 'Add Metadata',
		description: 'Anything you want to keep with the coupon, such as a campaign name or a CRM ID',
	},
	{ name: 'crm_id', value: '42' },
);

const json: INodePropertyCollection = {
	displayName: 'JSON',
	name: 'json',
	values: [{ displayName: 'JSON', name: 'json', type: 'json', default: '{}' }],
};

/** Lead metadata as names and values, or as JSON for values that are not text. */
export const leadMetadata: CustomField = {
	property: { ...named, options: [...(named.options ?? []), json] as INodePropertyCollection[] },
	read(given) {
		const { field = [], json: texts = [] } = (given ?? {}) as Entered;
		if (texts.length + Math.min(field.length, 1) > 1) throw setTwice();
		const [text] = texts;
		return text ? text.json : field.length > 0 ? namedValues(title, given) : undefined;
	},
};

interface Entered {
	readonly field?: readonly unknown[];
	readonly json?: ReadonlyArray<{ readonly json?: unknown }>;
}

const { title } = operations['coupon.create'];

function setTwice(): InputError {
	const message = 'is set more than once: keep either the fields or one JSON';
	return new InputError(title, [{ field: 'lead_metadata', message }]);
}
