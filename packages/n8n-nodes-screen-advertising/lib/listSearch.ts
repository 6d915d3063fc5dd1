import {
	type CampaignRequest,
	type Client,
	type Operation,
	operations,
	type Screen,
} from '@screen-advertising/core';
import {
	type KnownField,
	knownValues,
	listWithField,
	withoutCaseAndAccents,
} from '@screen-advertising/core/forms';
import { recordId } from '@screen-advertising/core/platform';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { createNodeClient } from './access';
import { toNodeError } from './nodeErrors';
import { n8nClock } from './transport';

type ListOperation = (typeof operations)['screen.list' | 'campaignRequest.list'];

/** A list, and how its entries show in a resource locator. */
interface Listing<Entry> {
	readonly operation: ListOperation;
	toItem(entry: Entry): SearchItem;
}

interface SearchItem extends INodeListSearchItems {
	/** The search finds items with all of its words in this text. */
	readonly searched: string;
}

/**
 * Enough to fill the list: n8n loads more when the user scrolls, and a shorter list cannot scroll.
 * Any page is long enough without a search.
 */
const enoughMatches = 20;

/** The user is waiting, so a search that finds less ends at the first of these limits. */
const maxPages = 50;
const maxMs = 10_000;

/**
 * Returns the pages of a list for a resource locator. The service cannot search by text, so this
 * searches the pages, as many as it takes to fill the list.
 */
function listSearch<Entry>(listing: Listing<Entry>) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		cursor?: string,
	): Promise<INodeListSearchResult> {
		try {
			const client = await createNodeClient(this, this.getCurrentNodeParameter('authentication'));
			return await search(client, listing, withoutCaseAndAccents(filter.trim()), cursor);
		} catch (error) {
			throw toNodeError(error, { node: this.getNode(), operation: listing.operation });
		}
	};
}

async function search<Entry>(
	client: Client,
	{ operation, toItem }: Listing<Entry>,
	query: string,
	cursor: string | undefined,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchItems[] = [];
	const terms = query.split(/\s+/);
	const enough = query === '' ? 1 : enoughMatches;
	const latest = n8nClock.now() + maxMs;
	let read = 0;
	const { largestPage } = operation as Operation;
	const input = { ...(largestPage && { limit: largestPage }), ...(cursor && { cursor }) };
	for await (const { data, pagination } of client.pages(operation, input)) {
		const matches = (data as Entry[])
			.map((entry) => toItem(entry))
			.filter(({ searched }) =>
				terms.every((term) => withoutCaseAndAccents(searched).includes(term)),
			);
		for (const { name, value } of matches) results.push({ name, value });
		read += 1;
		const next = pagination.has_more === true ? pagination.cursor : undefined;
		if (next && (results.length >= enough || read >= maxPages || n8nClock.now() >= latest)) {
			return { results, paginationToken: next };
		}
	}
	return { results };
}

/** Campaign requests by ID, status or industry: all that the contract shows of them. */
export const getCampaignRequests = listSearch({
	operation: operations['campaignRequest.list'],
	toItem(request: CampaignRequest) {
		const { status, industry } = request;
		const value = recordId(request) ?? '';
		const about = [industry, status].filter(Boolean).join(', ');
		const name = about ? `${value} (${about})` : value;
		return { name, value, searched: name };
	},
});

/** Screens by name, city, address or ID. */
export const getScreens = listSearch({
	operation: operations['screen.list'],
	toItem(screen: Screen) {
		const { name, city, country, address } = screen;
		const place = [city, country].filter(Boolean).join(', ');
		const value = recordId(screen) ?? '';
		const label = name || value;
		return {
			name: place ? `${label} (${place})` : label,
			value,
			searched: [value, name, place, address].join(' '),
		};
	},
});

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Codes are for requests: people search by the name. */
function labelOf(field: KnownField, value: string): string {
	const country = field === 'country' && /^[A-Z]{2}$/.test(value) && countryNames.of(value);
	return country ? `${country} (${value})` : value;
}

/** The values of a filter that records have. The records are read, since nothing else lists them. */
export async function searchKnownValues(
	context: ILoadOptionsFunctions,
	field: KnownField,
	filter = '',
): Promise<INodeListSearchResult> {
	try {
		const client = await createNodeClient(
			context,
			context.getCurrentNodeParameter('authentication'),
		);
		const { [field]: values } = await knownValues(client, [field]);
		const wanted = withoutCaseAndAccents(filter.trim());
		const results = values
			.map((value) => ({ name: labelOf(field, value), value }))
			.filter(({ name }) => withoutCaseAndAccents(name).includes(wanted));
		return { results };
	} catch (error) {
		throw toNodeError(error, { node: context.getNode(), operation: listWithField(field) });
	}
}
