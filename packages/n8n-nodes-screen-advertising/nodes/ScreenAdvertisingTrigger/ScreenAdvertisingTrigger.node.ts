import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { properties, subtitle } from './ScreenAdvertisingTrigger.description';

const whileBuilding =
	'<b>While building your workflow</b>, click "Execute step". A relay then delivers the newest event of the chosen kinds, or a sample. Without a relay, have the service deliver an event to the test URL. The execution shows in the editor.';

const isByRelay = (context: IHookFunctions) =>
	context.getNodeParameter('delivery', 'direct') === 'relay';

export class ScreenAdvertisingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Screen Advertising Trigger',
		name: 'screenAdvertisingTrigger',
		icon: {
			light: 'file:../../icons/screenAdvertising.svg',
			dark: 'file:../../icons/screenAdvertising.dark.svg',
		},
		group: ['trigger'],
		// Not 1: for a trigger of that version n8n evaluates an expression for each delivery (seen in
		// 2.40), which is most of the work of receiving it.
		version: 1.1,
		subtitle,
		// n8n shows it for the actions, too: its panel lists them below the trigger (seen in 2.40).
		description:
			'Starts the workflow with webhook events of the Screen Advertising service, and works with its screens, coupons, users, landing links and campaign requests',
		eventTriggerDescription: 'Waiting for an event',
		activationMessage:
			'Your workflow is published. To receive events directly, send the production URL to the Screen Advertising team. Through a relay, events start it once the relay has subscribed it.',
		defaults: {
			name: 'Screen Advertising Trigger',
		},
		triggerPanel: {
			header: 'Listen for a test event',
			executionsHelp: {
				inactive: `${whileBuilding}<br /><br /><b>Once it works</b>, publish the workflow: every event then starts it.`,
				active: `${whileBuilding}<br /><br /><b>Your workflow is published</b>, so every event starts it. Those executions show in the list of executions.`,
			},
			activationHint:
				'Execute step receives one event. Publish the workflow to have every event start it.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'screenAdvertisingRelayApi',
				required: true,
				testedBy: 'testRelay',
				displayOptions: { show: { delivery: ['relay'] } },
			},
			{
				name: 'screenAdvertisingWebhookApi',
				required: true,
				testedBy: 'testSigningSecrets',
				displayOptions: { show: { delivery: ['direct'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Makes n8n take the response body from the result of `webhook`: see receive.ts.
				responseData: '',
				path: 'webhook',
				// A relay learns the URL on its own.
				ndvHideUrl: '={{ $parameter.delivery === "relay" }}',
			},
		],
		properties,
	};

	methods = {
		credentialTest: {
			async testSigningSecrets(credential) {
				const { testSigningSecrets } = await import('./credentialTests');
				return testSigningSecrets(credential.data ?? {});
			},

			async testRelay(credential) {
				const { testRelay } = await import('./credentialTests');
				return await testRelay(this, credential.data ?? {});
			},
		},
	} satisfies INodeType['methods'];

	/** Only a relay takes requests: a person at the service registers the webhook of a direct trigger. */
	webhookMethods = {
		default: {
			async checkExists() {
				const { checkTriggerSettings } = await import('../../lib/values');
				checkTriggerSettings(this, properties);
				if (!isByRelay(this)) return true;
				const { isSubscribed } = await import('./relaySubscription');
				return await isSubscribed.call(this);
			},
			async create() {
				const { checkTriggerSettings } = await import('../../lib/values');
				checkTriggerSettings(this, properties);
				if (!isByRelay(this)) return true;
				const { subscribe } = await import('./relaySubscription');
				return await subscribe.call(this);
			},
			async delete() {
				if (!isByRelay(this)) return true;
				const { unsubscribe } = await import('./relaySubscription');
				return await unsubscribe.call(this);
			},
		},
	} satisfies INodeType['webhookMethods'];

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { receiveDelivery } = await import('./receive');
		return await receiveDelivery.call(this);
	}
}
