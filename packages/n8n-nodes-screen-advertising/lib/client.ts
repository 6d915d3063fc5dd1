import { type Client, type ClientOptions, createClient } from '@screen-advertising/core';
import { platformAuth } from '@screen-advertising/core/platform';
import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { readApiKeyAccess, readClientCredentialsAccess, requestsPerMinute } from './access/access';
import { withRenewal } from './access/renewal';
import { createTransport, type Send } from './transport/transport';

type ClientContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A client waits out a 429, however many items are in the same queue. */
const maxWaitMs = 15 * 60_000;

/** As many as Concurrency allows: the user decides how many items run at once. */
const maxConcurrent = 500;

/** One of so many requests is reserved, so that a large workflow does not hold up a small one. */
const requestsPerReserved = 20;

/**
 * Creates a client over n8n's request helper, which adds the bearer token. Throws
 * ConfigurationError.
 */
export async function clientFor(
	context: ClientContext,
	authentication: unknown,
	options: Pick<ClientOptions, 'timeoutMs' | 'onAttempt'> = {},
): Promise<Client> {
	const hasTokens = authentication === 'clientCredentials';
	const type = credentialType(authentication);
	const credential = await context.getCredentials(type);
	const { baseUrl, auth } = hasTokens
		? readClientCredentialsAccess(credential)
		: readApiKeyAccess(credential);
	const requests = requestsPerMinute(credential);
	const reserved = Math.floor(requests / requestsPerReserved);
	const send = senderFor(context, type);
	return createClient({
		baseUrl,
		auth: platformAuth('key' in auth ? auth.key : auth.clientId, () => secretsOf(context, type)),
		transport: createTransport(hasTokens ? withRenewal(send, credential) : send),
		retry: { maxWaitMs },
		rateLimit: { requests, maxConcurrent, reserved },
		...options,
	});
}

/** The type of credential with which a node signs in. */
export function credentialType(authentication: unknown): string {
	return authentication === 'clientCredentials'
		? 'screenAdvertisingClientCredentialsApi'
		: 'screenAdvertisingApi';
}

/** Reads the credential each time, since n8n may have renewed the token meanwhile. */
async function secretsOf(context: ClientContext, credentialType: string): Promise<string[]> {
	const { apiKey, clientSecret, accessToken } = await context.getCredentials(credentialType);
	return [apiKey, clientSecret, accessToken].filter((secret) => typeof secret === 'string');
}

/**
 * While a workflow runs, n8n replaces a request's signal with its own cancel signal, which ignores
 * our time-out. So the helper runs on a context whose cancel signal is ours, which includes n8n's.
 */
function senderFor(context: ClientContext, credentialType: string): Send {
	return async (options) => {
		const own: ClientContext =
			'getExecutionCancelSignal' in context
				? (Object.create(context, {
						getExecutionCancelSignal: { value: () => options.abortSignal },
					}) as IExecuteFunctions)
				: context;
		return await context.helpers.httpRequestWithAuthentication.call(own, credentialType, options);
	};
}
