import { InputError } from '@screen-advertising/core';

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

/** A number above 0 from an option or an expression, which may be text or empty. */
export function positive(given: unknown, otherwise: number): number {
	const value = Number(given ?? otherwise);
	return value > 0 ? value : otherwise;
}
