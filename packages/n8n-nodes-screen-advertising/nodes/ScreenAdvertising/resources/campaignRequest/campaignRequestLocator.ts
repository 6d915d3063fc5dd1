import type { INodeProperties } from 'n8n-workflow';

export const campaignRequestLocator: INodeProperties = {
	displayName: 'Campaign Request',
	name: 'id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The campaign request, chosen from the list or by its ID',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a campaign request...',
			typeOptions: { searchListMethod: 'getCampaignRequests', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. cr_0001' },
	],
};
