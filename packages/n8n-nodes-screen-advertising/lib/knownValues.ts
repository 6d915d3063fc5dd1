import type { KnownField } from '@screen-advertising/core/forms';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** The method that lists the values of each field. */
export const searchMethods: Readonly<Record<KnownField, string>> = {
	country: 'getCountries',
	city: 'getCities',
	orientation: 'getOrientations',
	industry: 'getIndustries',
};

const isKnownField = (name: string): name is KnownField => name in searchMethods;

/** The property of a filter as a list of the values that records have, which also takes text. */
export function withKnownValues(property: INodeProperties): INodeProperties {
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
				typeOptions: { searchListMethod: searchMethods[name], searchable: true },
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

/** What the user chose from a list or wrote. Any other value is what an expression returned. */
export function chosenValue(given: unknown): unknown {
	return typeof given === 'object' && given !== null && '__rl' in given
		? (given as IDataObject).value
		: given;
}
