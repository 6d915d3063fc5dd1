import type { Operation } from '@screen-advertising/core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { form, type FormOptions } from './form';
import { listProperties, readList } from './list';
import type { Item, NodeOperation } from './operation';

/** What n8n shows differently from the catalogue. */
interface Overrides extends FormOptions {
	/** n8n's name for the operation. */
	readonly value?: string;
	/** How much of each record to output. */
	readonly output?: {
		readonly properties: readonly INodeProperties[];
		readonly shape: (item: Item) => (record: IDataObject) => IDataObject;
	};
}

const rawOutput = { properties: [], shape: () => (record: IDataObject) => record };

/** An operation of the catalogue: its form, and the record or list that it returns. */
export function fromCatalogue(operation: Operation, overrides: Overrides = {}): NodeOperation {
	return operation.responseKind === 'record'
		? oneRecord(operation, overrides)
		: manyRecords(operation, overrides);
}

function oneRecord(operation: Operation, overrides: Overrides): NodeOperation {
	const { name, title, resource } = operation;
	const { value = name.replace(`${resource.name}.`, ''), output = rawOutput } = overrides;
	const fields = form(operation, overrides);
	return {
		operation,
		value,
		name: title.replace(` ${resource.title}`, ''),
		action: sentenceCase(title),
		properties: [...fields.required, ...fields.optional, ...output.properties],
		async run(item) {
			const { client, context, index, signal } = item;
			const record: object = await client.call(operation, fields.read(context, index), { signal });
			return output.shape(item)(record as IDataObject);
		},
	};
}

function manyRecords(operation: Operation, overrides: Overrides): NodeOperation {
	const { output = rawOutput } = overrides;
	// Return All and Limit set the page size and cursor.
	const fields = form(operation, {
		collection: 'Filters',
		omit: ['limit', 'cursor'],
		...overrides,
	});
	return {
		operation,
		value: 'getAll',
		name: 'Get Many',
		action: sentenceCase(`Get many ${operation.resource.plural}`),
		properties: listProperties(fields, output.properties),
		async run(item) {
			const filters = fields.read(item.context, item.index) as object;
			return await readList(item, operation, filters, output.shape(item));
		},
	};
}

function sentenceCase(title: string): string {
	return title.charAt(0) + title.slice(1).toLowerCase();
}
