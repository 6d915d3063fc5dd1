import { operations } from '@screen-advertising/core';
import { recordFields, withCurrencyAmounts } from '@screen-advertising/core/forms';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { InputItem } from '../../operation';
import { sortedByName } from '../../../../lib/properties';
import { readProperty } from '../../../../lib/values';

/** Ten fields with the price: n8n's limit for simplified output. */
const simplified = [
	'id',
	'name',
	'country',
	'city',
	'address',
	'orientation',
	'venue_type',
	'ad_sov_pct',
	'price_per_day_cents',
];

const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	displayOptions: { hide: { '@tool': [true] } },
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const outputProperty: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Simplified', value: 'simplified' },
		{ name: 'Raw', value: 'raw' },
		{ name: 'Selected Fields', value: 'selectedFields' },
	],
	default: 'simplified',
	displayOptions: { show: { '@tool': [true] } },
	description: 'How much of each screen to return',
};

const fieldsProperty: INodeProperties = {
	displayName: 'Fields',
	name: 'outputFields',
	type: 'multiOptions',
	options: sortedByName(
		recordFields(operations['screen.get']).map(({ name, title }) => ({
			name: `${title}${unitOf(name)}`,
			value: name,
		})),
	),
	default: ['id', 'name'],
	displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
	description: 'The fields of each screen to return',
};

/** How much of a screen to output. An AI agent, which pays for every word, may pick the fields. */
export const outputProperties = [simplifyProperty, outputProperty, fieldsProperty];

/** Only the label shows an AI agent the unit of a field. */
function unitOf(name: string): string {
	if (name.endsWith('_cents')) return ' (Cents)';
	return name.endsWith('_pct') ? ' (%)' : '';
}

type Output = 'simplified' | 'raw' | 'selectedFields';

export function readOutputSettings(item: InputItem): Output {
	const otherwise = read(item, simplifyProperty) === true ? 'simplified' : 'raw';
	return read(item, outputProperty, otherwise) as Output;
}

function read(
	{ context, index }: InputItem,
	property: INodeProperties,
	otherwise?: unknown,
): unknown {
	const given = context.getNodeParameter(property.name, index, null);
	return readProperty(screens.title, property, given, otherwise);
}

const screens = operations['screen.list'];

/** Formats the screens of an item. The settings are read once for all of its screens. */
export function screenFormatter(item: InputItem): (screen: IDataObject) => IDataObject {
	const output = readOutputSettings(item);
	if (output === 'raw') return (screen) => screen;
	if (output === 'selectedFields') {
		const names = read(item, fieldsProperty) as string[];
		return (screen) => pickMembers(screen, [...names, 'distance_km']);
	}
	return (screen) => withCurrencyAmounts(pickMembersWithDistance(screen, simplified, 'country'));
}

/** The output of the operations that return screens. */
export const screenOutput = { properties: outputProperties, shape: screenFormatter };

/** The members of a record with these names, where it has them. */
export function pickMembers(record: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(
		names.filter((name) => name in record).map((name) => [name, record[name]]),
	);
}

/** Picks the members, with the distance in place of a field that says less near a place. */
export function pickMembersWithDistance(
	record: IDataObject,
	names: readonly string[],
	far: string,
): IDataObject {
	return pickMembers(
		record,
		names.map((name) => (name === far && 'distance_km' in record ? 'distance_km' : name)),
	);
}
