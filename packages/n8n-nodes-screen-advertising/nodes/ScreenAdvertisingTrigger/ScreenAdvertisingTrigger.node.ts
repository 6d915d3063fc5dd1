import {
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IHookFunctions,
	type INodeCredentialTestResult,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { properties } from './description';
import { testSigningSecrets } from './signingSecrets';

export class ScreenAdvertisingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Screen Advertising Trigger',
		name: 'screenAdvertisingTrigger',
		icon: {
			light: 'file:../../icons/screenAdvertising.svg',
			dark: 'file:../../icons/screenAdvertising.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description: 'Starts the workflow when the Screen Advertising service delivers a webhook event',
		eventTriggerDescription: 'Waiting for the service to deliver an event',
		activationMessage:
			'The service can now deliver events to the production URL, once its administration knows it.',
		defaults: {
			name: 'Screen Advertising Trigger',
		},
		triggerPanel: {
			header: 'Send the webhook URL to the administration of the service',
			executionsHelp: {
				inactive:
					'<b>While building your workflow</b>, click "Execute step" and have the service deliver an event to the test URL. The execution shows in the editor.<br /><br /><b>Once it works</b>, publish the workflow. Only then does the production URL, which the administration needs, accept deliveries.',
				active:
					'<b>While building your workflow</b>, click "Execute step" and have the service deliver an event to the test URL. The execution shows in the editor.<br /><br /><b>Your workflow also runs by itself</b>, because it is published: every delivery to the production URL starts it. Those executions show in the list of executions.',
			},
			activationHint:
				'The administration of the service registers webhook URLs. Give it the production URL, which you find under "Webhook URLs"; it gives you the signing secret for the credential.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'screenAdvertisingWebhookApi',
				required: true,
				testedBy: 'testSigningSecrets',
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// So that n8n asks the result of `webhook` for the answer's body: see receive.ts.
				responseData: '',
				path: 'webhook',
			},
		],
		properties,
	};

	methods = {
		credentialTest: {
			async testSigningSecrets(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				return testSigningSecrets(credential.data ?? {});
			},
		},
	};

	/** The administration of the service registers and removes webhooks, so there is nothing to call. */
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return true;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { receive } = await import('./receive');
		return await receive.call(this);
	}
}
