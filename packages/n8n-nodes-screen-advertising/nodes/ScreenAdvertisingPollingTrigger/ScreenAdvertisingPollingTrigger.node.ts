import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { knownValueSearches } from '../../lib/knownValueSearches';
import { credentials, properties, subtitle } from './ScreenAdvertisingPollingTrigger.description';

export class ScreenAdvertisingPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Screen Advertising Polling Trigger',
		name: 'screenAdvertisingPollingTrigger',
		icon: {
			light: 'file:../../icons/screenAdvertising.svg',
			dark: 'file:../../icons/screenAdvertising.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle,
		description:
			'Starts the workflow on new or changed campaign requests, new screens, changes in screen availability, or new events at a relay, without a webhook',
		activationMessage:
			'Your workflow is published. It has noted what exists, and starts with the first change that a later poll finds. Unpublished for up to ten minutes, it has missed nothing.',
		defaults: {
			name: 'Screen Advertising Polling Trigger',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties,
	};

	methods = { listSearch: knownValueSearches } satisfies INodeType['methods'];

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { poll } = await import('./poll');
		return await poll.call(this);
	}
}
