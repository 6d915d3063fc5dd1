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
import { properties, subtitle } from './ScreenAdvertisingTrigger.description';
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
		// Not 1: n8n evaluates an expression for each delivery to a trigger of that version (seen in
		// 2.40), which is most of the work of receiving it.
		version: 1.1,
		subtitle,
		description: 'Starts the workflow when the Screen Advertising service delivers a webhook event',
		eventTriggerDescription: 'Waiting for the service to deliver an event',
		activationMessage:
			'The service can now deliver events to the production URL, once its administration knows it.',
		defaults: {
			name: 'Screen Advertising Trigger',
		},
		triggerPanel: {
			header: 'Pull in an event of the service',
			executionsHelp: {
				inactive:
					'<b>While building your workflow</b>, click "Execute step" and have the service deliver an event to the test URL. The execution shows in the editor.<br /><br /><b>Once it works</b>, publish the workflow. Only then does the production URL, which the administration needs, accept deliveries.',
				active:
					'<b>While building your workflow</b>, click "Execute step" and have the service deliver an event to the test URL. The execution shows in the editor.<br /><br /><b>Your workflow also runs by itself</b>, because it is published: every delivery to the production URL starts it. Those executions show in the list of executions.',
			},
			activationHint:
				'Execute step waits for one delivery to the test URL. Publish the workflow to have every delivery to the production URL start it.',
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
