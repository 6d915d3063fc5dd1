import { type IHttpRequestOptions, UserError } from 'n8n-workflow';

/**
 * Adds the bearer token to a request that goes to the base URL's own origin, and refuses any
 * other: the HTTP Request node lets a user point a credential anywhere. A redirect carries the
 * token nowhere else either.
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
		sendCredentialsOnCrossOriginRedirect: false,
		headers: { ...options.headers, authorization: `Bearer ${token}` },
	};
}

/** The HTTP Request node still writes the address as `uri`. */
function originOf(options: IHttpRequestOptions & { uri?: string }): string | undefined {
	const address = options.uri ?? options.url;
	return URL.canParse(address, options.baseURL)
		? new URL(address, options.baseURL).origin
		: undefined;
}
