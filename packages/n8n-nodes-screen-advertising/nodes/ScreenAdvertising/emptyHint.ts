import type { Client } from '@screen-advertising/core';
import { shownFields, whyEmpty } from '@screen-advertising/core/forms';
import type { NodeOperation } from './operation';

/** Which pages to read does not decide what matches. */
const notFilters: ReadonlySet<string> = new Set(['limit', 'cursor', 'sort_by']);

/** Says above an empty output why it may be empty: a misspelled filter looks the same. */
export async function emptyHint(
	{ operation, form = operation }: NodeOperation,
	given: (name: string) => string,
	{ empty, items }: { readonly empty: number; readonly items: number },
	{ client, signal }: { client: Client | undefined; signal: AbortSignal | undefined },
): Promise<string> {
	const fields = shownFields(form);
	const filters = fields
		.filter(({ name }) => !notFilters.has(name) && given(name) !== '')
		.map(({ name, title }) => `${title} "${given(name)}"`);
	const records = operation.resource.plural.toLowerCase();
	const input = Object.fromEntries(fields.map(({ name }) => [name, given(name)]));
	const unknown = client && (await whyEmpty(client, form, input, { signal }));
	const why =
		unknown ??
		(filters.length > 0
			? `No ${records} match ${filters.join(', ')}. Check the spelling, or remove a filter.`
			: `The service has no ${records} for this credential.`);
	return items > 1 ? `Input items without a result: ${empty} of ${items}. The first: ${why}` : why;
}
