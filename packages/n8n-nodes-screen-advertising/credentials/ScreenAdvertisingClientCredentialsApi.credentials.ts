import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IDataObject,
	IHttpRequestHelper,
	INodeProperties,
} from 'n8n-workflow';
import { baseUrlProperty, couponKeyProperty, rateLimitProperty } from '../lib/authentication';

export class ScreenAdvertisingClientCredentialsApi implements ICredentialType {
	name = 'screenAdvertisingClientCredentialsApi';

	displayName = 'Screen Advertising Client Credentials API';

	icon: Icon = {
		light: 'file:../icons/screenAdvertising.svg',
		dark: 'file:../icons/screenAdvertising.dark.svg',
	};

	documentationUrl =
		'https://github.com/screen-advertising/connectors/tree/main/packages/n8n-nodes-screen-advertising#client-credentials';

	properties: INodeProperties[] = [
		baseUrlProperty,
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			required: true,
			description: 'The Screen Advertising team gives it to you',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'The Screen Advertising team gives it to you. n8n fetches an access token with it and renews it.',
		},
		couponKeyProperty,
		rateLimitProperty,
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const { fetchAccessToken } = await import('../lib/access');
		return { accessToken: await fetchAccessToken(this, credentials) };
	}

	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const {
			checkNotTimedOut,
			checkToken,
			readClientCredentialsAccess,
			storedToken,
			addBearerToken,
		} = await import('../lib/access');
		const { baseUrl } = readClientCredentialsAccess(credentials);
		const token = storedToken(credentials);
		checkNotTimedOut(requestOptions);
		checkToken(requestOptions, token);
		return addBearerToken(token, baseUrl, requestOptions);
	};
}
