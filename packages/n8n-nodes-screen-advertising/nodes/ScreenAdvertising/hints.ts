import type { Client } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { dayInTimeZone, shownFields, explainEmptyResult } from '@screen-advertising/core/forms';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isAgentTool } from '../../lib/nodeErrors';
import { withTimeLimit, n8nClock } from '../../lib/transport';

/** Sentences of one kind: the first, whether others differ, and how many items have one. */
interface Hint {
	readonly message: string;
	readonly advice: string;
	isSame: boolean;
	items: number;
}

/**
 * Collects what a reader should know of a run: one sentence of each kind, however many items have
 * it. In the editor they stand above the output. An agent sees only the output: there they are
 * `notes` of an item before all others.
 */
export class ExecutionHints {
	readonly #byKind = new Map<string, Hint>();

	/** A sentence without a kind is its own kind. */
	add(message: string | undefined, kind = message, advice = ''): void {
		if (message === undefined || kind === undefined) return;
		const known = this.#byKind.get(kind);
		if (!known) this.#byKind.set(kind, { message, advice, isSame: true, items: 1 });
		else Object.assign(known, { isSame: known.isSame && known.message === message }).items += 1;
	}

	/** Says that a computed value was empty, where leaving its field out does no harm. */
	leftOut(title: string): void {
		this.add(`'${title}' came out empty, so it was left out.`, `left out: ${title}`);
	}

	/** Shows them to the reader of these items. Returns what to output. */
	show(context: IExecuteFunctions, items: INodeExecutionData[]): INodeExecutionData[] {
		const node = context.getNode();
		// The editor says itself how to get more than the limit (seen in 2.40).
		const isAdvised = items.length === node.parameters.limit && !isAgentTool(node);
		const notes = [...this.#byKind.values()].map((hint) => sentencesOf(hint, isAdvised));
		if (isAgentTool(node)) {
			return notes.length > 0 ? [{ json: { notes }, pairedItem: { item: 0 } }, ...items] : items;
		}
		for (const message of notes) context.addExecutionHints({ message, location: 'outputPane' });
		return items;
	}
}

function sentencesOf({ message, advice, isSame, items }: Hint, isAdvised: boolean): string {
	const text = advice && !isAdvised ? `${message} ${advice}` : message;
	if (items === 1) return text;
	if (!isSame) return `Input items that this concerns: ${items}. The first: ${text}`;
	return `${text} The same holds for ${items - 1} more ${items === 2 ? 'item' : 'items'}.`;
}

const written = new Intl.NumberFormat('en');

/** Says how many records exist, where only some of them were returned. */
export function addCountHint(
	hints: ExecutionHints,
	returned: number,
	total: unknown,
	{ resource }: CatalogueEntry,
): void {
	const records = resource.plural.toLowerCase();
	const message =
		typeof total === 'number'
			? `${written.format(returned)} of ${written.format(total)} ${records}.`
			: `Only the first ${written.format(returned)} of the ${records}: the service has more.`;
	hints.add(message, 'count', "Turn on 'Return All' to get all of them.");
}

/** Says that a period or an expiry has passed, which the service may accept without a word. */
export function dateHasPassedHint(
	context: Pick<IExecuteFunctions, 'getTimezone'>,
	label: string,
	given: unknown,
	what: string,
): string | undefined {
	const text = String(given ?? '');
	const now = n8nClock.date();
	const isPast = /^\d{4}-\d{2}-\d{2}$/.test(text)
		? text < dayInTimeZone(context.getTimezone(), now)
		: Date.parse(text) < now;
	return isPast ? `'${label}' (${text}) is in the past, so ${what}.` : undefined;
}

/** Which pages to read does not decide what matches. */
const notFilters: ReadonlySet<string> = new Set(['limit', 'cursor', 'sort_by']);

/** The items wait for it, and it only explains them. */
const explainMs = 2_000;

/**
 * Says why an output may be empty: a misspelled filter looks the same. The client reads the values
 * that records have; without one, as in a published workflow, no request is made.
 */
export async function emptyOutputHint(
	{ operation, form = operation }: { operation: CatalogueEntry; form?: CatalogueEntry },
	given: (name: string) => string,
	{ empty, items }: { readonly empty: number; readonly items: number },
	client: Client | undefined,
): Promise<string> {
	const fields = shownFields(form);
	const filters = fields
		.filter(({ name }) => !notFilters.has(name) && given(name) !== '')
		.map(({ name, title }) => `${title} "${given(name)}"`);
	const records = operation.resource.plural.toLowerCase();
	const input = Object.fromEntries(fields.map(({ name }) => [name, given(name)]));
	const unknown =
		client &&
		(await withTimeLimit(
			explainMs,
			async (signal) => await explainEmptyResult(client, form, input, { signal, retry: false }),
			new Error('No time to explain the empty output'),
		));
	const why =
		unknown ??
		(filters.length > 0
			? `No ${records} match ${filters.join(', ')}. Check the spelling, or remove a filter.`
			: `The service has no ${records} for this credential.`);
	return items > 1 ? `Input items without a result: ${empty} of ${items}. The first: ${why}` : why;
}
