import { type CampaignRequest, operations } from '@screen-advertising/core';
import { listSearch } from './listSearch';

/** Campaign requests by ID, status or industry: all that the contract shows of them. */
export const getCampaignRequests = listSearch(
	operations['campaignRequest.list'],
	({ id, status, industry }: CampaignRequest) => {
		const value = String(id ?? '');
		const about = [industry, status].filter(Boolean).join(', ');
		const name = about ? `${value} (${about})` : value;
		return { name, value, searched: name };
	},
);
