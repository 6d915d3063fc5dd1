import type { IAuthenticate, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';
import { baseUrlProperty, couponKeyProperty, rateLimitProperty } from '../lib/authentication';

export class ScreenAdvertisingApi implements ICredentialType {
	name = 'screenAdvertisingApi';

	displayName = 'Screen Advertising API';

	icon: Icon = {
		light: 'file:../icons/screenAdvertising.svg',
		dark: 'file:../icons/screenAdvertising.dark.svg',
	};

	documentationUrl =
		'https://github.com/screen-advertising/connectors/tree/main/packages/n8n-nodes-screen-advertising#api-key';

	properties: INodeProperties[] = [
		baseUrlProperty,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Starts with svc_. The Screen Advertising team gives it to you.',
		},
		couponKeyProperty,
		rateLimitProperty,
	];

	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const { readApiKeyAccess, addBearerToken } = await import('../lib/access');
		const { baseUrl, auth } = readApiKeyAccess(credentials);
		return addBearerToken(auth.key, baseUrl, requestOptions);
	};
}
