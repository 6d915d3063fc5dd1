import type { Client, Operation, operations } from '@screen-advertising/core';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { clientFor } from '../../../lib/client';
import { toNodeError } from '../../../lib/errors/nodeErrors';
import { clock } from '../../../lib/transport/transport';

type ListOperation = (typeof operations)['screen.list' | 'campaignRequest.list'];

interface SearchItem extends INodeListSearchItems {
	/** The text that the search matches. */
	readonly searched: string;
}

/**
 * Enough to fill the list: n8n loads more when the user scrolls, and a shorter list cannot scroll.
 * Without a search, any page is long enough.
 */
const enoughFound = 20;

/** The user is waiting, so a search that finds less ends at the first of these limits. */
const maxPages = 50;
const maxMs = 10_000;

/**
 * Returns the pages of a list for a resource locator. The service cannot search by text, so this
 * searches the pages, as many as it takes to fill the list.
 */
export function listSearch<Entry>(operation: ListOperation, toItem: (entry: Entry) => SearchItem) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		cursor?: string,
	): Promise<INodeListSearchResult> {
		try {
			const client = await clientFor(this, this.getCurrentNodeParameter('authentication'));
			return await search(client, operation, toItem, filter.trim().toLowerCase(), cursor);
		} catch (error) {
			throw toNodeError(error, { node: this.getNode(), operation });
		}
	};
}

async function search<Entry>(
	client: Client,
	operation: ListOperation,
	toItem: (entry: Entry) => SearchItem,
	wanted: string,
	cursor: string | undefined,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchItems[] = [];
	const enough = wanted === '' ? 1 : enoughFound;
	const latest = clock.now() + maxMs;
	let read = 0;
	const { largestPage } = operation as Operation;
	const input = { ...(largestPage && { limit: largestPage }), ...(cursor && { cursor }) };
	for await (const { data, pagination } of client.pages(operation, input)) {
		const found = (data as Entry[])
			.map(toItem)
			.filter(({ searched }) => searched.toLowerCase().includes(wanted));
		results.push(...found.map(({ name, value }) => ({ name, value })));
		read += 1;
		const next = pagination.has_more === true ? pagination.cursor : undefined;
		if (next && (results.length >= enough || read >= maxPages || clock.now() >= latest)) {
			return { results, paginationToken: next };
		}
	}
	return { results };
}
