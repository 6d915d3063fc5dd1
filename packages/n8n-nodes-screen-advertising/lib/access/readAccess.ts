import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { apiKey, clientCredentials } from '@screen-advertising/core';
import { parseBaseUrl } from '@screen-advertising/core/platform';

/*
 * The two kinds of credentials as the core takes them. Both throw ConfigurationError, whose message
 * names the field and says what to paste instead.
 */

export function readApiKeyAccess({ baseUrl, apiKey: key }: ICredentialDataDecryptedObject) {
	return { baseUrl: parseBaseUrl(String(baseUrl ?? '')), auth: apiKey(String(key ?? '')) };
}

export function readClientCredentialsAccess(credential: ICredentialDataDecryptedObject) {
	const { baseUrl, clientId, clientSecret } = credential;
	return {
		baseUrl: parseBaseUrl(String(baseUrl ?? '')),
		auth: clientCredentials({
			clientId: String(clientId ?? ''),
			clientSecret: String(clientSecret ?? ''),
		}),
	};
}
