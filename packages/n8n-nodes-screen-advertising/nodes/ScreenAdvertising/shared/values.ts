import { type FormField, InputError } from '@screen-advertising/core';

/** What a parameter or an expression gave, as the catalogue wants it; undefined when left empty. */
export function readValue(title: string, field: FormField, given: unknown): unknown {
	if (given === undefined || given === null || given === '') return undefined;
	switch (field.type) {
		case 'date':
			return calendarDate(given);
		case 'number':
		case 'integer':
			return typeof given === 'string' ? Number(given) : given;
		case 'json':
			return readJson(title, field.name, given);
		default:
			return asText(given);
	}
}

/** A JSON field holds text, or whatever an expression gave. Throws InputError. */
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

/** The date picker gives a time too, and an expression such as {{ $today }} a DateTime. */
function calendarDate(given: unknown): unknown {
	const text = asText(given);
	const date = typeof text === 'string' ? /^(\d{4}-\d{2}-\d{2})(T|$)/.exec(text) : null;
	return date?.[1] ?? text;
}

function asText(given: unknown): unknown {
	if (typeof given === 'number') return String(given);
	if (given instanceof Date) return given.toISOString();
	return isDateTime(given) ? given.toISO() : given;
}

function isDateTime(given: unknown): given is { toISO(): string } {
	return typeof given === 'object' && given !== null && 'toISO' in given;
}
