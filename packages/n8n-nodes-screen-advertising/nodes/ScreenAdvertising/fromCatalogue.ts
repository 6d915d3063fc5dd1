import type { Operation, OperationName } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import {
	type FormField,
	type InputOf,
	readForm,
	shownFields,
	withCurrencyAmounts,
	withOptionalFields,
} from '@screen-advertising/core/forms';
import { nextCursor, parseInput } from '@screen-advertising/core/platform';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { sentenceCase, sortedByName, toProperty, toKnownValueList } from '../../lib/properties';
import {
	chosenValue,
	readCollection,
	readProperty,
	readWhenEmptyChoice,
	whenEmptyProperty,
	writtenParameters,
} from '../../lib/values';
import { clientAddingQrCode, qrCodeOptions } from './files';
import { addCountHint } from './hints';
import type { InputItem, NodeOperation } from './operation';

/** The parts of an operation that n8n shows differently from the catalogue. */
interface Overrides<Op extends Operation> extends FormOptions {
	/** n8n's name for the operation. */
	readonly value?: string;
	/** How much of each record to output. */
	readonly output?: {
		readonly properties: readonly INodeProperties[];
		readonly shape: (item: InputItem) => (record: IDataObject) => IDataObject;
	};
	/** Entries of Options for this operation only. */
	readonly options?: INodeProperties[];
	/** Another form than that of the fields. */
	readonly form?: Form<InputOf<Op>>;
	/**
	 * Reads what else an item says, and returns what makes its requests, where it is not one with the
	 * input. Throws InputError.
	 */
	prepare?(item: InputItem, input: InputOf<Op>): () => Promise<object>;
}

const plainOutput = { properties: [], shape: () => withCurrencyAmounts<IDataObject> };

/** An operation of the catalogue: its form, and the record or list that it returns. */
export function operationFromCatalogue<Op extends Operation>(
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
	const fields = overrides.form ?? formFromCatalogue(operation, overrides);
	return {
		operation,
		value,
		name: title.replace(` ${resource.title}`, ''),
		action: sentenceCase(title),
		properties: [...fields.required, ...fields.optional, ...output.properties],
		options: [...options, ...(fields.options ?? []), ...qrCodeOptions(operation)],
		prepare(item) {
			const client = clientAddingQrCode(item, operation);
			const input = fields.read(item);
			parseInput(operation, input);
			const shape = output.shape(item);
			const send = prepare({ ...item, client }, input);
			return async () => shape((await send()) as IDataObject);
		},
	};
}

function manyRecords(operation: Operation, overrides: Overrides<Operation>): NodeOperation {
	const { output = plainOutput } = overrides;
	// Return All and Limit set the page size and cursor.
	const fields = formFromCatalogue(operation, {
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
	item: InputItem,
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
		if (isCut) addCountHint(hints, limit, pagination.total_count, operation);
		break;
	}
	return records;
}

/**
 * How many records an item requests. An expression may return anything or nothing. Throws
 * InputError.
 */
export function readLimit({ context, index }: InputItem, { title }: CatalogueEntry): number {
	const read = (property: INodeProperties) =>
		readProperty(title, property, context.getNodeParameter(property.name, index, null));
	return read(returnAllProperty) === true ? Number.POSITIVE_INFINITY : Number(read(limitProperty));
}

/** The name of each resource that the service lists: the compiler asks for its locator. */
type ListedResource = {
	[Name in OperationName]: Name extends `${infer Resource}.list` ? Resource : never;
}[OperationName];

/** Fields that name a record of a listed resource: the user can choose it. */
const locators: Readonly<Record<ListedResource, Omit<INodeProperties, 'name'>>> = {
	screen: locator('Screen', 'getScreens', 'scr_berlin_0001'),
	campaignRequest: locator('Campaign Request', 'getCampaignRequests', 'cr_0001'),
};

function locator(
	displayName: string,
	searchListMethod: string,
	example: string,
): Omit<INodeProperties, 'name'> {
	const record = displayName.toLowerCase();
	return {
		displayName,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: `The ${record}, chosen from the list or by its ID`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${record}...`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${example}` },
		],
	};
}

/** Other properties for a field, of which n8n shows one. */
export interface SubstituteProperties {
	readonly properties: readonly INodeProperties[];
	/** Turns its value into what the plain field would hold. Throws InputError. */
	read?(item: InputItem, given: unknown, written: unknown): unknown;
}

interface FormOptions {
	/** Label of the collection that holds the optional fields. */
	readonly collection?: 'Additional Fields' | 'Filters';
	/** Fields that the operation fills in. */
	readonly omit?: readonly string[];
	/** Required fields that the form need not have. */
	readonly optional?: readonly string[];
	/** Fields that n8n shows in its own way, by their names. */
	readonly custom?: Readonly<Record<string, SubstituteProperties>>;
}

/**
 * The fields of an operation as n8n shows them, and how their values become the operation's input.
 */
interface Form<Input> {
	readonly required: INodeProperties[];
	/** The collection of the optional fields, if there are any. */
	readonly optional: INodeProperties[];
	/** The entry of Options for conditions that come out empty. */
	readonly options?: INodeProperties[];
	/** The values of an item's form. Throws InputError or EmptyConditionError. */
	read(item: InputItem): Input;
}

export function formFromCatalogue<Op extends CatalogueEntry>(
	operation: Op,
	options: FormOptions = {},
): Form<InputOf<Op>> {
	const { collection = 'Additional Fields', omit = [], custom = {} } = options;
	const offered = shownFields(operation).filter(({ name }) => !omit.includes(name));
	const fields = withOptionalFields(offered, options.optional);
	const required = fields.filter((field) => field.required);
	const optional = fields.filter((field) => !field.required);
	const collectionName = collection === 'Filters' ? 'filters' : 'additionalFields';
	const show = (field: FormField) =>
		custom[field.name]?.properties ?? [
			locatorOf(operation, field) ?? toKnownValueList(toProperty(field)),
		];
	const entries = sortedByName(optional.flatMap(show));
	return {
		required: required.flatMap(show),
		optional: entries.length > 0 ? [collectionProperty(collection, collectionName, entries)] : [],
		options: whenEmptyProperty(fields),
		read(item) {
			const { context, index, hints } = item;
			const { title } = operation;
			const all = writtenParameters(context);
			const given = optional.length > 0 ? context.getNodeParameter(collectionName, index, {}) : {};
			const whenEmpty = readWhenEmptyChoice(
				title,
				fields,
				context.getNodeParameter('options', index, {}),
			);
			const { values, written } = readCollection(title, given, all[collectionName]);
			for (const { name } of required) {
				values[name] = context.getNodeParameter(name, index, undefined, { extractValue: true });
				written[name] = chosenValue(all[name]);
			}
			for (const [name, { read }] of Object.entries(custom)) {
				if (read && name in values) values[name] = read(item, values[name], written[name]);
			}
			return readForm(operation, values, {
				optional: [...omit, ...(options.optional ?? [])],
				onlyJson: true,
				timeZone: context.getTimezone(),
				written,
				whenEmpty,
				onLeftOut: (field) => hints.leftOut(field.title),
			});
		},
	};
}

/** A path names a record of the operation's resource, which the user can choose from its list. */
function locatorOf(
	{ resource }: CatalogueEntry,
	{ in: place, name }: FormField,
): INodeProperties | undefined {
	const ofResource: Readonly<Record<string, Omit<INodeProperties, 'name'>>> = locators;
	const locator = place === 'path' ? ofResource[resource.name] : undefined;
	return locator && { ...locator, name };
}

function collectionProperty(
	displayName: string,
	name: string,
	options: INodeProperties[],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: name === 'filters' ? 'Add Filter' : 'Add Field',
		default: {},
		options,
	};
}
