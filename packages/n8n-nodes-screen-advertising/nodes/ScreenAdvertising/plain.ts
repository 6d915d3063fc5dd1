import type { Operation } from '@screen-advertising/core';
import { form, type FormOptions } from './form';
import { limitProperty, readList, returnAllProperty } from './list';
import type { NodeOperation } from './operation';

/**
 * An operation exactly as in the catalogue: its form, and the record or list that it returns.
 * Whatever n8n does differently has a file below `resources`.
 */
export function plain(operation: Operation, options: FormOptions = {}): NodeOperation {
	return operation.responseKind === 'record' ? one(operation, options) : many(operation, options);
}

function one(operation: Operation, options: FormOptions): NodeOperation {
	const { name, title, resource } = operation;
	const fields = form(operation, options);
	return {
		operation,
		value: name.replace(`${resource.name}.`, ''),
		name: title.replace(` ${resource.title}`, ''),
		action: sentence(title),
		properties: fields.properties,
		run: async ({ client, context, index, signal }) =>
			await client.call(operation, fields.read(context, index), { signal }),
	};
}

function many(operation: Operation, options: FormOptions): NodeOperation {
	// Return All and Limit set the page size and cursor.
	const fields = form(operation, {
		collection: 'Filters',
		omit: ['limit', 'cursor'],
		...options,
	});
	return {
		operation,
		value: 'getAll',
		name: 'Get Many',
		action: sentence(`Get many ${operation.resource.plural}`),
		properties: [returnAllProperty, limitProperty, ...fields.properties],
		async run(item) {
			const filters = fields.read(item.context, item.index) as object;
			return await readList(item, operation, filters);
		},
	};
}

function sentence(title: string): string {
	return title.charAt(0) + title.slice(1).toLowerCase();
}
