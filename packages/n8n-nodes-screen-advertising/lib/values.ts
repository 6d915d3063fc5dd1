import { InputError } from '@screen-advertising/core';
import { dayIn, type FormField } from '@screen-advertising/core/forms';
import type { FunctionsBase } from 'n8n-workflow';

/** The time zone of the workflow, which decides the day of a moment. */
type Place = Pick<FunctionsBase, 'getTimezone'>;

/**
 * What a person entered, in the terms of the core's forms: the dates of an expression become text.
 */
export function enteredValue({ type }: FormField, entered: unknown, place: Place): unknown {
	if (type === 'json') return entered;
	if (entered instanceof Date) {
		if (Number.isNaN(entered.getTime())) return String(entered);
		// n8n's own dates are in the time zone of the workflow.
		return type === 'date' ? dayIn(place.getTimezone(), entered) : entered.toISOString();
	}
	return isDateTime(entered) ? entered.toISO() : entered;
}

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

/** Reduces a date picker's midnight to its day; keeps a time that the user wrote. */
export function pickedDay(given: unknown): unknown {
	return typeof given === 'string' ? given.replace(/^(\d{4}-\d{2}-\d{2})T00:00:00$/, '$1') : given;
}

function isDateTime(given: unknown): given is { toISO(): string } {
	return typeof given === 'object' && given !== null && 'toISO' in given;
}

/** A number above 0 from an option or an expression, which may be text or empty. */
export function positive(given: unknown, otherwise: number): number {
	const value = Number(given ?? otherwise);
	return value > 0 ? value : otherwise;
}
