import { type CampaignRequest, operations } from '@screen-advertising/core';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { searchPages } from './searchPages';

/** Campaign requests by ID, status or industry: all that the contract tells of them. */
export async function getCampaignRequests(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPages(
		this,
		operations['campaignRequest.list'],
		toItem,
		filter,
		paginationToken,
	);
}

function toItem({ id, status, industry }: CampaignRequest) {
	const value = String(id ?? '');
	const about = [industry, status].filter(Boolean).join(', ');
	const name = about ? `${value} (${about})` : value;
	return { name, value, searched: name };
}
