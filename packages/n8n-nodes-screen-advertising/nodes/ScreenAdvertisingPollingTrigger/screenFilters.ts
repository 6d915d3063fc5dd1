import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { shownFields } from '@screen-advertising/core/forms';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { chosenValue } from '../../lib/knownValues';

/** Which screens to watch: what the user entered, by the names of the entry's fields. */
export function screenFilters(
	context: IPollFunctions,
	entry: CatalogueEntry,
): Record<string, unknown> {
	const filters = context.getNodeParameter('screenFilters', {}) as IDataObject;
	return Object.fromEntries(
		shownFields(entry).map(({ name }) => [name, chosenValue(filters[name])]),
	);
}
