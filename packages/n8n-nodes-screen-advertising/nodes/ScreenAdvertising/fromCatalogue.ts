import type { Operation } from '@screen-advertising/core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { nextCursor, parseInput } from '@screen-advertising/core/platform';
import { sentenceCase } from '../../lib/properties';
import { readProperty } from '../../lib/values';
import { form, type FormOptions, type Form } from './form';
import { addCount } from './hints';
import type { Item, NodeOperation } from './operation';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { type InputOf, withAmounts } from '@screen-advertising/core/forms';

/** The parts of an operation that n8n shows differently from the catalogue. */
interface Overrides<Op extends Operation> extends FormOptions {
	/** n8n's name for the operation. */
	readonly value?: string;
	/** How much of each record to output. */
	readonly output?: {
		readonly properties: readonly INodeProperties[];
		readonly shape: (item: Item) => (record: IDataObject) => IDataObject;
	};
	/** Entries of Options for this operation only. */
	readonly options?: INodeProperties[];
	/** Another form than that of the fields. */
	readonly form?: Form<InputOf<Op>>;
	/**
	 * Reads what else an item says, and returns what makes its requests, where it is not one with the
	 * input. Throws InputError.
	 */
	prepare?(item: Item, input: InputOf<Op>): () => Promise<object>;
}

const plainOutput = { properties: [], shape: () => withAmounts<IDataObject> };

/** An operation of the catalogue: its form, and the record or list that it returns. */
export function fromCatalogue<Op extends Operation>(
	operation: Op,
	overrides: Overrides<Op> = {},
): NodeOperation {
	return operation.responseShape === 'record'
		? oneRecord(operation, overrides)
		: manyRecords(operation, overrides);
}

function oneRecord<Op extends Operation>(operation: Op, overrides: Overrides<Op>): NodeOperation {
	const { name, title, resource } = operation;
	const { value = name.replace(`${resource.name}.`, ''), output = plainOutput } = overrides;
	const {
		options = [],
		prepare = ({ client, signal }, input) =>
			async () =>
				await client.call(operation as Operation, input, { signal }),
	} = overrides;
	const fields = overrides.form ?? form(operation, overrides);
	return {
		operation,
		value,
		name: title.replace(` ${resource.title}`, ''),
		action: sentenceCase(title),
		properties: [...fields.required, ...fields.optional, ...output.properties],
		options: [...options, ...(fields.options ?? [])],
		prepare(item) {
			const input = fields.read(item);
			parseInput(operation, input);
			const shape = output.shape(item);
			const send = prepare(item, input);
			return async () => shape((await send()) as IDataObject);
		},
	};
}

function manyRecords(operation: Operation, overrides: Overrides<Operation>): NodeOperation {
	const { output = plainOutput } = overrides;
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
		...(fields.options && { options: fields.options }),
		prepare(item) {
			const filters = fields.read(item) as object;
			parseInput(operation, filters);
			const limit = readLimit(item, operation);
			const shape = output.shape(item);
			return async () => await readList(item, operation, filters, { limit, shape });
		},
	};
}

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
	typeOptions: { minValue: 1, numberPrecision: 0 },
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
async function readList(
	item: Item,
	operation: Operation,
	filters: object,
	{ limit, shape }: { limit: number; shape: (record: IDataObject) => IDataObject },
): Promise<IDataObject[]> {
	const { client, signal, hints } = item;
	const records: IDataObject[] = [];
	if (limit === Number.POSITIVE_INFINITY) {
		for await (const record of client.items(operation, filters, { signal })) {
			records.push(shape(record as IDataObject));
		}
		return records;
	}
	const { largestPage } = operation;
	const input = largestPage ? { ...filters, limit: Math.min(limit, largestPage) } : filters;
	for await (const { data, pagination } of client.pages(operation, input, { signal })) {
		const wanted = data.slice(0, limit - records.length);
		// Not with push(...): a page may hold any number.
		for (const record of wanted) records.push(shape(record as IDataObject));
		if (records.length < limit) continue;
		const isCut = wanted.length < data.length || nextCursor(pagination) !== undefined;
		if (isCut) addCount(hints, limit, pagination.total_count, operation);
		break;
	}
	return records;
}

/**
 * How many records an item requests. An expression may return anything or nothing. Throws
 * InputError.
 */
export function readLimit({ context, index }: Item, { title }: CatalogueEntry): number {
	const read = (property: INodeProperties) =>
		readProperty(title, property, context.getNodeParameter(property.name, index, null));
	return read(returnAllProperty) === true ? Number.POSITIVE_INFINITY : Number(read(limitProperty));
}
