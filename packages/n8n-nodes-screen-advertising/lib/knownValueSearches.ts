import type { KnownField } from '@screen-advertising/core/forms';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { searchMethodByField } from './properties';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/**
 * The methods that list known values, by their names. n8n needs no more when it starts, so each
 * loads on first use. They are apart from the rest of the known values, which what loads on first
 * use imports too.
 */
export const knownValueSearches: Readonly<Record<string, ListSearch>> = Object.fromEntries(
	Object.entries(searchMethodByField).map(([field, method]) => [
		method,
		async function (this: ILoadOptionsFunctions, filter?: string) {
			const { searchKnownValues } = await import('./listSearch');
			return await searchKnownValues(this, field as KnownField, filter);
		},
	]),
);
