import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { getCampaignRequests } from './listSearch/getCampaignRequests';
import { getScreens } from './listSearch/getScreens';
import { resourceProperties } from './resources';
import { authenticationProperty, accessCredentials } from './shared/authentication';
import { execute } from './shared/execute';

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
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description:
			'Find screens, create coupons and landing links, look up users and read campaign requests',
		defaults: {
			name: 'Screen Advertising',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: accessCredentials,
		properties: [authenticationProperty, ...resourceProperties],
	};

	methods = {
		listSearch: { getCampaignRequests, getScreens },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute.call(this);
	}
}
