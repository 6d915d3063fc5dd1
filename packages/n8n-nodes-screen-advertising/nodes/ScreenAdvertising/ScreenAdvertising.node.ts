import {
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { properties, subtitle } from './description';
import { accessCredentials } from './shared/authentication';

/**
 * The description is all that n8n needs when it starts: the rest is loaded when it is used first.
 */

export class ScreenAdvertising implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Screen Advertising',
		name: 'screenAdvertising',
		icon: {
			light: 'file:../../icons/screenAdvertising.svg',
			dark: 'file:../../icons/screenAdvertising.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle,
		description:
			'Find screens, create coupons and landing links, look up users and read campaign requests',
		defaults: {
			name: 'Screen Advertising',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: accessCredentials,
		properties,
	};

	methods = {
		listSearch: {
			async getCampaignRequests(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			): Promise<INodeListSearchResult> {
				const { getCampaignRequests } = await import('./listSearch/getCampaignRequests');
				return await getCampaignRequests.call(this, filter, paginationToken);
			},
			async getScreens(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			): Promise<INodeListSearchResult> {
				const { getScreens } = await import('./listSearch/getScreens');
				return await getScreens.call(this, filter, paginationToken);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { execute } = await import('./shared/execute');
		return await execute.call(this);
	}
}
