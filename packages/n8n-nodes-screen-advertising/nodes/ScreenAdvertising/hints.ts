import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { dayIn } from '@screen-advertising/core/forms';
import type { IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../../lib/transport/transport';

/** Sentences above the output of the node: one of each kind, however many items have it. */
export class Hints {
	readonly #byKind = new Map<string, { readonly message: string; items: number }>();

	/** Without a kind, the sentence is its own. */
	add(message: string | undefined, kind = message): void {
		if (message === undefined || kind === undefined) return;
		const known = this.#byKind.get(kind);
		if (known) known.items += 1;
		else this.#byKind.set(kind, { message, items: 1 });
	}

	show(context: IExecuteFunctions): void {
		for (const { message, items } of this.#byKind.values()) {
			const more = items > 1 ? ` The same holds for ${items - 1} more items.` : '';
			context.addExecutionHints({ message: `${message}${more}`, location: 'outputPane' });
		}
	}
}

const written = new Intl.NumberFormat('en');

/** Says how many records exist, where only some of them were returned. */
export function countHint(returned: number, total: unknown, { resource }: CatalogueEntry): string {
	const records = resource.plural.toLowerCase();
	const first =
		typeof total === 'number'
			? `${written.format(returned)} of ${written.format(total)} ${records}.`
			: `Only the first ${written.format(returned)} of the ${records}: the service has more.`;
	return `${first} Turn on 'Return All' to get all of them.`;
}

/** Says that a period or an expiry has passed, which the service may accept without a word. */
export function pastHint(
	context: Pick<IExecuteFunctions, 'getTimezone'>,
	label: string,
	given: unknown,
	what: string,
): string | undefined {
	const text = String(given ?? '');
	const now = clock.date();
	const isPast = /^\d{4}-\d{2}-\d{2}$/.test(text)
		? text < dayIn(context.getTimezone(), now)
		: Date.parse(text) < now;
	return isPast ? `'${label}' (${text}) is in the past, so ${what}.` : undefined;
}
