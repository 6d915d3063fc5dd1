import { InputError } from '@screen-advertising/core';
import { quoting } from '@screen-advertising/core/platform';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** White space around a text comes from pasting: it would find nothing, or be refused unseen. */
export function trimmed(given: unknown): unknown {
	return typeof given === 'string' ? given.trim() : given;
}

/** A JSON field holds text, or any value from an expression. Throws InputError. */
export function readJson(title: string, field: string, given: unknown): unknown {
	if (typeof given !== 'string') return given;
	try {
		return JSON.parse(given) as unknown;
	} catch {
		throw notJson(title, field);
	}
}

function notJson(title: string, field: string): InputError {
	return new InputError(title, [
		{ field, message: 'must be valid JSON, such as {"crm_id": "42"}, or an expression' },
	]);
}

/**
 * The value of a property that is n8n's own: an expression may return anything. Empty is the default.
 * Throws InputError for a value that the editor would not take.
 */
export function readProperty(
	title: string,
	property: INodeProperties,
	given: unknown,
	otherwise: unknown = property.default,
): unknown {
	const value = trimmed(given) ?? '';
	if (value === '') return otherwise;
	const [read, mustBe] = readers[property.type]?.(value, property) ?? [value, ''];
	if (read !== undefined) return read;
	const message = quoting(`must be ${mustBe}`, value);
	throw new InputError(title, [{ field: property.displayName, message }]);
}

type Reader = (value: unknown, property: INodeProperties) => [read: unknown, mustBe: string];

const readers: Readonly<Partial<Record<INodeProperties['type'], Reader>>> = {
	boolean: (value) => [toggleOf(value), 'true or false'],
	options: (value, property) => [optionOf(value, property), `one of ${labelsOf(property)}`],
	multiOptions(value, property) {
		const all = (Array.isArray(value) ? value : String(value).split(',')).map((one) =>
			optionOf(one, property),
		);
		return [all.includes(undefined) ? undefined : all, `some of ${labelsOf(property)}`];
	},
	number(value, { typeOptions = {} }) {
		const { minValue = Number.NEGATIVE_INFINITY, maxValue = Number.POSITIVE_INFINITY } =
			typeOptions;
		const isWhole = typeOptions.numberPrecision === 0;
		const number = typeof value === 'object' ? Number.NaN : Number(value);
		const fits = number >= minValue && number <= maxValue;
		const what = isWhole ? 'a whole number' : 'a number';
		return [
			fits && (!isWhole || Number.isSafeInteger(number)) ? number : undefined,
			typeOptions.maxValue === undefined
				? `${what}, ${minValue} or more`
				: `${what} from ${minValue} to ${maxValue}`,
		];
	},
};

/** Undefined for anything that is neither on nor off. */
export function toggleOf(given: unknown): boolean | undefined {
	const text = String(given).trim().toLowerCase();
	if (text === 'true' || text === '1') return true;
	return text === 'false' || text === '0' ? false : undefined;
}

/** By its value, or by its label: an earlier step may hold either. */
function optionOf(given: unknown, { options = [] }: INodeProperties): unknown {
	const wanted = String(given).trim().toLowerCase();
	const isWanted = (text: unknown) => String(text).toLowerCase() === wanted;
	return (options as INodePropertyOptions[]).find(
		({ name, value }) => isWanted(value) || isWanted(name),
	)?.value;
}

function labelsOf({ options = [] }: INodeProperties): string {
	return options.map(({ name }) => name).join(', ');
}

/** A number above 0 from an option or an expression, which may be text or empty. */
export function positive(given: unknown, otherwise: number): number {
	const value = Number(given ?? otherwise);
	return value > 0 ? value : otherwise;
}
