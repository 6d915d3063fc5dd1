import { InputError, type Operation } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Form } from './form';
import type { Item } from './operation';

const returnAllProperty: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limitProperty: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
};

/** The fields of an operation that returns a list, in the same order for each. */
export function listProperties(
	{ required, optional }: Pick<Form<unknown>, 'required' | 'optional'>,
	output: readonly INodeProperties[],
): INodeProperties[] {
	return [...required, returnAllProperty, limitProperty, ...output, ...optional];
}

/**
 * Returns the records of a list, each formatted as soon as it arrives: all of them, or up to the
 * limit, in as few pages as possible.
 */
export async function readList(
	item: Item,
	operation: Operation,
	filters: object,
	shape: (record: IDataObject) => IDataObject,
): Promise<IDataObject[]> {
	const { client, signal } = item;
	const limit = readLimit(item, operation);
	const { largestPage } = operation;
	const input = largestPage && limit < largestPage ? { ...filters, limit } : filters;
	const records: IDataObject[] = [];
	for await (const record of client.items(operation, input, { signal })) {
		records.push(shape(record as IDataObject));
		if (records.length >= limit) break;
	}
	return records;
}

/**
 * How many records an item requests. An expression may return anything or nothing. Throws
 * InputError.
 */
export function readLimit({ context, index }: Item, { title }: Task): number {
	if (context.getNodeParameter('returnAll', index, false) === true) return Number.POSITIVE_INFINITY;
	const given = context.getNodeParameter('limit', index, null) ?? '';
	const limit = Number(given === '' ? limitProperty.default : given);
	if (Number.isSafeInteger(limit) && limit >= 1) return limit;
	throw new InputError(title, [
		{ field: limitProperty.displayName, message: 'must be a whole number, 1 or more' },
	]);
}
