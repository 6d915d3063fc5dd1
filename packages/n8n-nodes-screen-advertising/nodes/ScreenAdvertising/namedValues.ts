import { InputError } from '@screen-advertising/core';
import { isMappedOrComputed, isEmpty, readNamedValuePairs } from '@screen-advertising/core/forms';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { InputItem } from './operation';

interface NamedValue {
	name?: unknown;
	value?: unknown;
}

/** A form for an object whose members the user names. */
export function namedValuesProperty(
	texts: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description' | 'default'>,
	example: { readonly name: string; readonly value: string },
): INodeProperties {
	const part = (displayName: string, name: 'name' | 'value'): INodeProperties => ({
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: `e.g. ${example[name]}`,
	});
	return {
		...texts,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		options: [
			{
				displayName: 'Field',
				name: 'field',
				values: [part('Name', 'name'), part('Value', 'value')],
			},
		],
	};
}

/** The form that these pairs are in: its label, and what was written into it. */
interface Pairs {
	readonly title: string;
	readonly label: string;
	readonly written: unknown;
	/** `text` where a value ends up in a text. */
	readonly type: 'text' | 'json';
}

/**
 * Builds an object from the user's names and values. An expression may also give the object itself.
 * Throws InputError.
 */
export function namedValues(
	{ hints }: InputItem,
	{ title, label, written, type }: Pairs,
	collection: unknown,
): IDataObject {
	const { members, leftOut } = readNamedValuePairs(title, pairsOf(title, label, collection), type);
	if (isMappedOrComputed(written)) for (const name of leftOut) hints.leftOut(`${label}: ${name}`);
	return members as IDataObject;
}

function pairsOf(title: string, label: string, given: unknown): Array<[unknown, unknown]> {
	if (isEmpty(given)) return [];
	if (typeof given !== 'object' || given === null) {
		throw new InputError(title, [{ field: label, message: 'must be names and values' }]);
	}
	const rows = Array.isArray(given) ? given : (given as { field?: unknown }).field;
	return Array.isArray(rows)
		? (rows as NamedValue[]).map(({ name, value }) => [name, value])
		: Object.entries(given);
}
