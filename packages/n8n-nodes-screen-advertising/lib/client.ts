import {
	type Client,
	createClient,
	type Transport,
	type TransportRequest,
	type TransportResponse,
} from '@screen-advertising/core';
import { platformAuth } from '@screen-advertising/core/platform';
import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { readApiKeyAccess, readClientCredentialsAccess } from './access/access';
import { createTransport, type Send, userAgent } from './transport/transport';
import { ownFailure } from './transport/failure';

type ClientContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A client waits out a 429, however many items are in the same queue. */
const maxWaitMs = 15 * 60_000;

/** As many as Concurrency allows: the user decides how many items run at once. */
const maxConcurrent = 500;

/**
 * Creates a client over n8n's request helper, which adds the bearer token. Throws
 * ConfigurationError.
 */
export async function clientFor(
	context: ClientContext,
	authentication: unknown,
	timeoutMs?: number,
): Promise<Client> {
	const hasTokens = authentication === 'clientCredentials';
	const type = hasTokens ? 'screenAdvertisingClientCredentialsApi' : 'screenAdvertisingApi';
	const credential = await context.getCredentials(type);
	const { baseUrl, auth } = hasTokens
		? readClientCredentialsAccess(credential)
		: readApiKeyAccess(credential);
	const send = senderFor(context, type);
	const transport = createTransport(send);
	return createClient({
		baseUrl,
		auth: platformAuth('key' in auth ? auth.key : auth.clientId, () => secretsOf(context, type)),
		transport: hasTokens ? withRenewal(transport, send, baseUrl) : transport,
		retry: { maxWaitMs },
		rateLimit: { maxConcurrent },
		...(timeoutMs !== undefined && { timeoutMs }),
	});
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

/** For the probe and the token together. */
const timeoutMs = 60_000;

/**
 * n8n renews a token when a 401 is an error. Up to n8n 2.10 it cannot make an error of 401 alone,
 * and its errors hold no response. So every status arrives as a response. After a 401, a probe
 * makes n8n renew the token, whatever the probe returns, and then the request is sent again.
 * Requests refused meanwhile wait for the same renewal.
 */
function withRenewal(transport: Transport, send: Send, baseUrl: string): Transport {
	let renewal: Promise<void> | undefined;

	async function renew(): Promise<void> {
		await send({
			url: `${baseUrl}/screens?limit=1`,
			headers: userAgent,
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: AbortSignal.timeout(timeoutMs),
		}).catch((error: unknown) => {
			const failure = ownFailure(error);
			if (failure) throw failure;
		});
	}

	return {
		...transport,
		async send(request): Promise<TransportResponse> {
			const response = await transport.send(request);
			if (response.status !== 401) return response;
			renewal ??= renew().finally(() => {
				renewal = undefined;
			});
			await Promise.race([renewal, untilLeft(request)]);
			return await transport.send(request);
		},
	};
}

/** Rejects when the caller aborts. */
async function untilLeft({ signal }: TransportRequest): Promise<never> {
	return await new Promise((_, reject) => {
		if (signal?.aborted) reject(signal.reason);
		else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
	});
}
