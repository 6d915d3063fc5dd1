import { operations, type Screen } from '@screen-advertising/core';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { searchPages } from './searchPages';

/** Screens by name, city, address or ID. */
export async function getScreens(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPages(this, operations['screen.list'], toItem, filter, paginationToken);
}

function toItem({ id, name, city, country, address }: Screen): INodeListSearchItems & {
	searched: string;
} {
	const place = [city, country].filter(Boolean).join(', ');
	const label = name || id;
	return {
		name: place ? `${label} (${place})` : label,
		value: id,
		searched: [id, name, place, address].join(' '),
	};
}
