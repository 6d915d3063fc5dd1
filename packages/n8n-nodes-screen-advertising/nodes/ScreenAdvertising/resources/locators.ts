import type { INodeProperties } from 'n8n-workflow';

/** Fields that name a record of a resource with a list, by the name of the resource. */
export const locators: Readonly<Record<string, Omit<INodeProperties, 'name'>>> = {
	screen: locator('Screen', 'getScreens', 'scr_berlin_0001'),
	campaignRequest: locator('Campaign Request', 'getCampaignRequests', 'cr_0001'),
};

function locator(
	displayName: string,
	searchListMethod: string,
	example: string,
): Omit<INodeProperties, 'name'> {
	const record = displayName.toLowerCase();
	return {
		displayName,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: `The ${record}, chosen from the list or by its ID`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${record}...`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${example}` },
		],
	};
}
