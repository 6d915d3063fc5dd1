import { InputError } from '@screen-advertising/core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { trimmed } from '../../lib/values';

interface NamedValue {
	name?: unknown;
	value?: unknown;
}

/** A form for an object whose members the user names. */
export function namedValuesProperty(
	texts: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
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
		default: {},
		options: [
			{
				displayName: 'Field',
				name: 'field',
				values: [part('Name', 'name'), part('Value', 'value')],
			},
		],
	};
}

/** Builds an object from the user's names and values. Throws InputError for a name used twice. */
export function namedValues(title: string, collection: unknown): IDataObject {
	const entries = ((collection as { field?: NamedValue[] } | undefined)?.field ?? []).map(
		({ name, value }) => [String(name ?? '').trim(), trimmed(value)] as const,
	);
	const names = new Set<string>();
	for (const [name] of entries) {
		if (name === '') throw new InputError(title, [{ field: '', message: unnamed }]);
		if (names.has(name)) throw new InputError(title, [{ field: name, message: 'is set twice' }]);
		names.add(name);
	}
	return Object.fromEntries(entries) as IDataObject;
}

const unnamed = 'every field needs a name';
