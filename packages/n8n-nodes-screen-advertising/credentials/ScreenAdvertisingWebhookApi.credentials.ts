import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

export class ScreenAdvertisingWebhookApi implements ICredentialType {
	name = 'screenAdvertisingWebhookApi';

	displayName = 'Screen Advertising Webhook API';

	icon: Icon = {
		light: 'file:../icons/screenAdvertising.svg',
		dark: 'file:../icons/screenAdvertising.dark.svg',
	};

	documentationUrl =
		'https://github.com/screen-advertising/connectors/tree/main/packages/n8n-nodes-screen-advertising#webhook-signing-secret';

	properties: INodeProperties[] = [
		{
			displayName: 'Signing Secret',
			name: 'signingSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'The secret that signs webhook deliveries. The Screen Advertising team gives it to you.',
		},
		{
			displayName: 'Previous Signing Secret',
			name: 'previousSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Only while the secret is being changed: deliveries signed with the old secret, entered here, are accepted too',
		},
	];
}
