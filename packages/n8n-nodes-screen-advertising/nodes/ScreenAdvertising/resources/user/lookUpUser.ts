import { type Operation, operations } from '@screen-advertising/core';
import { readForm, shownFields, userLookupFacts } from '@screen-advertising/core/forms';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { operationFromCatalogue } from '../../fromCatalogue';
import { toProperty } from '../../../../lib/properties';
import { readProperty } from '../../../../lib/values';

const operation: Operation = operations['user.lookup'];
const fields = shownFields(operation);
const firstField = fields[0]?.name ?? '';

/** Workflows branch on the facts. Among many users, what was looked up says which one is unknown. */
function withFacts(record: IDataObject, lookedUp: IDataObject): IDataObject {
	const facts = userLookupFacts(record);
	return { ...facts, ...lookedUp, ...record, ...facts };
}

/** The service takes exactly one of the fields, so the form asks which one. */
const byProperty: INodeProperties = {
	displayName: 'Look Up By',
	name: 'lookUpBy',
	type: 'options',
	options: fields.map(({ name, title }) => ({ name: title, value: name })),
	default: firstField,
	description: 'What you know about the user',
};

export const lookUpUser = operationFromCatalogue(operation, {
	value: 'lookUp',
	form: {
		required: [
			byProperty,
			...fields.map((field) => ({
				// The rest says that only one of them may be set.
				...toProperty({
					...field,
					required: true,
					description: field.description.split('. ')[0] ?? '',
				}),
				displayOptions: { show: { lookUpBy: [field.name] } },
			})),
		],
		optional: [],
		read({ context, index }) {
			const chosen = context.getNodeParameter('lookUpBy', index);
			const by = readProperty(operation.title, byProperty, chosen) as string;
			const given = context.getNodeParameter(by, index, '');
			// An empty field goes to validation, which names it.
			const read = readForm(operation, { [by]: given }) as object;
			return { [by]: '', ...read };
		},
	},
	prepare:
		({ client, signal }, input) =>
		async () => {
			const record: object = await client.call(operation, input, { signal });
			return withFacts(record as IDataObject, input as IDataObject);
		},
});
