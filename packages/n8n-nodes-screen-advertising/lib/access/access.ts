import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';
import { apiKey, clientCredentials } from '@screen-advertising/core';
import { parseBaseUrl, readRateLimit } from '@screen-advertising/core/platform';
import { credentialText } from './credentialText';

/*
 * Reads the two kinds of credentials in the form that the core takes. Both functions throw
 * ConfigurationError, whose message names the field and says what to paste instead.
 */

export function readApiKeyAccess({ baseUrl, apiKey: key }: ICredentialDataDecryptedObject) {
	return { baseUrl: parseBaseUrl(credentialText(baseUrl)), auth: apiKey(credentialText(key)) };
}

export function readClientCredentialsAccess(credential: ICredentialDataDecryptedObject) {
	const { baseUrl, clientId, clientSecret } = credential;
	return {
		baseUrl: parseBaseUrl(credentialText(baseUrl)),
		auth: clientCredentials({
			clientId: credentialText(clientId),
			clientSecret: credentialText(clientSecret),
		}),
	};
}

/** Requests per minute; 600 in credentials that were saved without. Throws ConfigurationError. */
export function requestsPerMinute({ rateLimit }: ICredentialDataDecryptedObject): number {
	return readRateLimit(rateLimit, 'rateLimit', 'Requests per Minute');
}

/**
 * Adds the bearer token to a request to the base URL's own origin, and refuses any other: the HTTP
 * Request node lets a user point a credential anywhere. Redirects are not followed, since n8n would
 * send the token along to subdomains, whatever its options say.
 */
export function withBearer(
	token: string,
	baseUrl: string,
	options: IHttpRequestOptions,
): IHttpRequestOptions {
	const { origin } = new URL(baseUrl);
	if (originOf(options) !== origin) {
		throw new UserError(
			`The Screen Advertising credential was not sent, because it is only for ${origin}. Check the URL of the request, or the Base URL of the credential.`,
		);
	}
	return {
		...options,
		...noRedirects,
		headers: { ...options.headers, authorization: `Bearer ${token}` },
	};
}

/** Covers both request helpers: the HTTP Request node uses the older one. */
const noRedirects = { disableFollowRedirect: true, maxRedirects: 0 };

/** The HTTP Request node still writes the address as `uri`. */
function originOf(options: IHttpRequestOptions & { uri?: string }): string | undefined {
	const address = options.uri ?? options.url;
	return URL.canParse(address, options.baseURL)
		? new URL(address, options.baseURL).origin
		: undefined;
}
