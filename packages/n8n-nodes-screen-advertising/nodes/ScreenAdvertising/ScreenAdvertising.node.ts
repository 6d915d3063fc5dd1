import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { knownValueSearches } from '../../lib/knownValueSearches';
import { properties, subtitle } from './ScreenAdvertising.description';

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
			'Find screens, create coupons and landing links, look up users, and read campaign requests',
		defaults: {
			name: 'Screen Advertising',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// Written out because n8n's linter looks here for the credential tests.
		credentials: [
			{
				name: 'screenAdvertisingApi',
				required: true,
				testedBy: 'testApiKey',
				displayOptions: { show: { authentication: ['apiKey'] } },
			},
			{
				name: 'screenAdvertisingClientCredentialsApi',
				required: true,
				testedBy: 'testClientCredentials',
				displayOptions: { show: { authentication: ['clientCredentials'] } },
			},
		],
		properties,
	};

	// n8n needs only the description at its start: everything else loads on first use.
	methods = {
		credentialTest: {
			async testApiKey(credential) {
				const { testApiKey } = await import('./credentialTest');
				return await testApiKey(this, credential.data ?? {});
			},
			async testClientCredentials(credential) {
				const { testClientCredentials } = await import('./credentialTest');
				return await testClientCredentials(this, credential.data ?? {});
			},
		},
		listSearch: {
			...knownValueSearches,
			async getCampaignRequests(filter, paginationToken) {
				const { getCampaignRequests } = await import('../../lib/listSearch');
				return await getCampaignRequests.call(this, filter, paginationToken);
			},
			async getScreens(filter, paginationToken) {
				const { getScreens } = await import('../../lib/listSearch');
				return await getScreens.call(this, filter, paginationToken);
			},
		},
	} satisfies INodeType['methods'];

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { execute } = await import('./execute');
		return await execute.call(this);
	}
}
