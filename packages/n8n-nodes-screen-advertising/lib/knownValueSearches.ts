import type { KnownField } from '@screen-advertising/core/forms';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** Loads the search on first use: n8n needs only its name when it starts. */
function searchOf(field: KnownField): ListSearch {
	return async function (this, filter) {
		const { searchKnownValues } = await import('./searchKnownValues');
		return await searchKnownValues(this, field, filter);
	};
}

/** The list searches of the filters, by the names of their methods. */
export const knownValueSearches = {
	getCountries: searchOf('country'),
	getCities: searchOf('city'),
	getOrientations: searchOf('orientation'),
	getIndustries: searchOf('industry'),
};
