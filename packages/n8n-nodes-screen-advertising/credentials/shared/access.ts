import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { clientCredentials } from '@screen-advertising/core';
import {
	type ClientCredentialsAuth,
	parseApiKey,
	parseBaseUrl,
} from '@screen-advertising/core/platform';

export interface ApiKeyAccess {
	readonly baseUrl: string;
	readonly apiKey: string;
}

export interface ClientCredentialsAccess {
	readonly baseUrl: string;
	readonly auth: ClientCredentialsAuth;
}

/** Throws ConfigurationError whose message names the field and says what to paste instead. */
export function readApiKeyAccess(credentials: ICredentialDataDecryptedObject): ApiKeyAccess {
	return {
		baseUrl: parseBaseUrl(text(credentials.baseUrl)),
		apiKey: parseApiKey(text(credentials.apiKey)),
	};
}

/** Throws ConfigurationError whose message names the field and says what to paste instead. */
export function readClientCredentialsAccess(
	credentials: ICredentialDataDecryptedObject,
): ClientCredentialsAccess {
	return {
		baseUrl: parseBaseUrl(text(credentials.baseUrl)),
		auth: clientCredentials({
			clientId: text(credentials.clientId),
			clientSecret: text(credentials.clientSecret),
		}),
	};
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
