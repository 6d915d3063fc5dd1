import { leadCouponOperations } from '@screen-advertising/core/lead-coupons';
import { type FormField, readFields, shownFields } from '@screen-advertising/core/forms';
import type { INodeProperties } from 'n8n-workflow';
import { toProperty } from '../../../../lib/properties';
import { readProperty, writtenParameters } from '../../../../lib/values';
import { operationFromCatalogue } from '../../fromCatalogue';

const operation = leadCouponOperations.get;
/** The user chooses between code and lead, and the chosen one is required. */
const fields = shownFields(operation).map(
	({ widens, ...field }): FormField => ({ ...field, required: widens !== undefined }),
);
const [code, leadEmail, codePrefix] = fields.map(toProperty) as [
	INodeProperties,
	INodeProperties,
	INodeProperties,
];

/** The service itself finds a coupon only by its code. */
const byProperty: INodeProperties = {
	displayName: 'Get By',
	name: 'getBy',
	type: 'options',
	options: [
		{ name: 'Code', value: 'code' },
		{ name: 'Lead Email', value: 'lead_email' },
	],
	default: 'code',
	description: 'What you know about the coupon',
};

const shownBy = (by: INodeProperties, property: INodeProperties): INodeProperties => ({
	...property,
	displayOptions: { show: { getBy: [by.name] } },
});

export const getCoupon = operationFromCatalogue(operation, {
	form: {
		required: [
			byProperty,
			shownBy(code, code),
			shownBy(leadEmail, leadEmail),
			shownBy(leadEmail, codePrefix),
		],
		optional: [],
		read({ context, index }) {
			const chosen = context.getNodeParameter('getBy', index, byProperty.default);
			const by = readProperty(operation.title, byProperty, chosen) as string;
			const names = by === code.name ? [code.name] : [leadEmail.name, codePrefix.name];
			const given = names.map((name) => [name, context.getNodeParameter(name, index, '')]);
			const offered = fields.filter(({ name }) => names.includes(name));
			const written = writtenParameters(context);
			const read = readFields(operation.title, offered, Object.fromEntries(given), { written });
			// An empty field goes to validation, which names it.
			return { [by]: '', ...read };
		},
	},
});
