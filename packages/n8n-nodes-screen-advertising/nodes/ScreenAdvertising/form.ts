import type { INodeProperties } from 'n8n-workflow';
import type { OperationName } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import {
	type FormField,
	type InputOf,
	readForm,
	shownFields,
	withOptional,
} from '@screen-advertising/core/forms';
import { sorted, toProperty, chosenValue, withKnownValues } from '../../lib/properties';

import { readCollection, whenEmptyOf, whenEmptyProperty, writtenIn } from '../../lib/values';
import type { Item } from './operation';

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
export interface CustomField {
	readonly properties: readonly INodeProperties[];
	/** Turns its value into what the plain field would hold. Throws InputError. */
	read?(item: Item, given: unknown, written: unknown): unknown;
}

export interface FormOptions {
	/** Label of the collection that holds the optional fields. */
	readonly collection?: 'Additional Fields' | 'Filters';
	/** Fields that the operation fills in. */
	readonly omit?: readonly string[];
	/** Required fields that the form need not have. */
	readonly optional?: readonly string[];
	/** Fields that n8n shows in its own way, by their names. */
	readonly custom?: Readonly<Record<string, CustomField>>;
}

/**
 * The fields of an operation as n8n shows them, and how their values become the operation's input.
 */
export interface Form<Input> {
	readonly required: INodeProperties[];
	/** The collection of the optional fields, if there are any. */
	readonly optional: INodeProperties[];
	/** The entry of Options for conditions that come out empty. */
	readonly options?: INodeProperties[];
	/** The values of an item's form. Throws InputError or EmptyCondition. */
	read(item: Item): Input;
}

export function form<Op extends CatalogueEntry>(
	operation: Op,
	options: FormOptions = {},
): Form<InputOf<Op>> {
	const { collection = 'Additional Fields', omit = [], custom = {} } = options;
	const offered = shownFields(operation).filter(({ name }) => !omit.includes(name));
	const fields = withOptional(offered, options.optional);
	const required = fields.filter((field) => field.required);
	const optional = fields.filter((field) => !field.required);
	const collectionName = collection === 'Filters' ? 'filters' : 'additionalFields';
	const show = (field: FormField) =>
		custom[field.name]?.properties ?? [
			locatorOf(operation, field) ?? withKnownValues(toProperty(field)),
		];
	const entries = sorted(optional.flatMap(show));
	return {
		required: required.flatMap(show),
		optional: entries.length > 0 ? [collectionProperty(collection, collectionName, entries)] : [],
		options: whenEmptyProperty(fields),
		read(item) {
			const { context, index, hints } = item;
			const { title } = operation;
			const all = writtenIn(context);
			const given = optional.length > 0 ? context.getNodeParameter(collectionName, index, {}) : {};
			const whenEmpty = whenEmptyOf(title, fields, context.getNodeParameter('options', index, {}));
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
