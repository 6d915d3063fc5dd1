import type { FormField, KnownField } from '@screen-advertising/core/forms';
import type { INodeProperties, INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';

const types: Readonly<Record<FormField['type'], NodePropertyTypes>> = {
	text: 'string',
	email: 'string',
	code: 'string',
	country: 'string',
	coordinates: 'string',
	date: 'dateTime',
	moment: 'dateTime',
	number: 'number',
	integer: 'number',
	toggle: 'boolean',
	choice: 'options',
	choices: 'multiOptions',
	json: 'json',
};

/** A field of the catalogue as n8n shows it. */
export function toProperty(field: FormField): INodeProperties {
	const typeOptions = optionsOf(field);
	const placeholder = placeholderOf(field);
	return {
		displayName: field.title,
		name: field.name,
		type: isRequiredNumber(field) ? 'string' : types[field.type],
		default: defaultOf(field),
		...(field.required && { required: true }),
		...(typeOptions && { typeOptions }),
		...(field.choices && {
			options: sortedByName(field.choices.map(({ title, value }) => ({ name: title, value }))),
		}),
		...(placeholder && { placeholder }),
		description: toPropertyDescription(field.description),
	};
}

/** n8n marks an empty required field unless it holds a number. The core reads numbers from text. */
function isRequiredNumber({ type, required }: FormField): boolean {
	return required && types[type] === 'number';
}

/** An entry of a collection that is offered once the user has added another entry of it. */
export function shownOnceAdded(other: INodeProperties, property: INodeProperties): INodeProperties {
	const values =
		other.type === 'boolean'
			? [true]
			: ((other.options ?? []) as INodePropertyOptions[]).map(({ value }) => value);
	return { ...property, displayOptions: { show: { [other.name]: values } } };
}

export function sentenceCase(title: string): string {
	return title.charAt(0) + title.slice(1).toLowerCase();
}

/** n8n's style: no full stop after a single sentence, but after each of several. */
export function toPropertyDescription(text: string): string {
	return /[.!?] /.test(text) ? text : text.replace(/\.$/, '');
}

/** n8n's lists say what to do, in n8n's own verbs. */
const verbs: ReadonlyArray<readonly [says: RegExp, verb: string]> = [
	[/^Gets /, 'Retrieve '],
	[/^Lists /, 'Retrieve a list of '],
	[/^Creates an? /, 'Create a new '],
	[/^Looks up whether /, 'Check whether '],
	[/^(\w+)s /, '$1 '],
];

/** The description of an operation as an instruction. */
export function toImperative(description: string): string {
	const [says, verb] = verbs.find(([start]) => start.test(description)) ?? [/^/, ''];
	return description.replace(says, verb);
}

/** n8n shows the entries of a list sorted by name. */
export function sortedByName<Entry extends { name: string; displayName?: string }>(
	entries: readonly Entry[],
): Entry[] {
	return [...entries].sort((a, b) =>
		(a.displayName ?? a.name).localeCompare(b.displayName ?? b.name, 'en'),
	);
}

/**
 * A number starts empty: a default that the user did not choose, such as the smallest value, must
 * not be sent.
 */
function defaultOf({ type, choices }: FormField): INodeProperties['default'] {
	if (type === 'choice') return choices?.[0]?.value ?? '';
	return type === 'json' ? '{}' : '';
}

function optionsOf(field: FormField): INodeProperties['typeOptions'] {
	const { type, minimum, maximum } = field;
	if (type === 'date') return { dateOnly: true };
	if (types[type] !== 'number' || isRequiredNumber(field)) return undefined;
	return {
		...(minimum !== undefined && { minValue: minimum }),
		...(maximum !== undefined && { maxValue: maximum }),
		...(type === 'integer' && { numberPrecision: 0 }),
	};
}

function placeholderOf({ type, example }: FormField): string | undefined {
	return example !== undefined && type !== 'json' && type !== 'choice'
		? `e.g. ${example}`
		: undefined;
}

/** The method that lists the values of each field. */
export const searchMethodByField: Readonly<Record<KnownField, string>> = {
	country: 'getCountries',
	city: 'getCities',
	orientation: 'getOrientations',
	industry: 'getIndustries',
};

const isKnownField = (name: string): name is KnownField => name in searchMethodByField;

/** The property of a filter as a list of the values that records have, which also takes text. */
export function toKnownValueList(property: INodeProperties): INodeProperties {
	const { name, displayName, placeholder, description = '' } = property;
	if (!isKnownField(name)) return property;
	const value = displayName.toLowerCase();
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${/^[aeiou]/.test(value) ? 'an' : 'a'} ${value}...`,
				typeOptions: { searchListMethod: searchMethodByField[name], searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				...(placeholder && { placeholder }),
			},
		],
	};
}
