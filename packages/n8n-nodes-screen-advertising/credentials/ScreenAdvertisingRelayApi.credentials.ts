import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

/** Apart, since n8n's linter does not know by this name that it is a secret. */
const connectorKey: INodeProperties = {
	displayName: 'Connector Key',
	name: 'connectorKey',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	required: true,
	description:
		'Starts with rly_. The relay shows it once, when the key is created. It signs in at the relay and checks its deliveries.',
};

export class ScreenAdvertisingRelayApi implements ICredentialType {
	name = 'screenAdvertisingRelayApi';

	displayName = 'Screen Advertising Relay API';

	icon: Icon = {
		light: 'file:../icons/screenAdvertising.svg',
		dark: 'file:../icons/screenAdvertising.dark.svg',
	};

	documentationUrl =
		'https://github.com/screen-advertising/connectors/tree/main/packages/n8n-nodes-screen-advertising#relay';

	properties: INodeProperties[] = [
		{
			displayName: 'Relay Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://relay.example',
			description: 'Address of your relay, as the relay prints it when it starts',
		},
		connectorKey,
	];
}
