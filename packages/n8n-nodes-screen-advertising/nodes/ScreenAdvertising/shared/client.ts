import { type Client, createClient } from '@screen-advertising/core';
import { platformAuth } from '@screen-advertising/core/platform';
import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { readApiKeyAccess, readClientCredentialsAccess } from '../../../credentials/shared/access';
import { withRenewal } from './renewal';
import { createTransport, type Send } from './transport';

export type ClientContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A 429 is waited out, however many items stand in the same queue. */
const maxWaitMs = 15 * 60_000;

/** As many as Concurrency allows: how many items run at once is the user's choice. */
const underWay = 500;

interface Access {
	readonly credentialType: string;
	readonly baseUrl: string;
	/** Tells accesses apart that share a limit; never leaves the process. */
	readonly accessKey: string;
	readonly hasTokens: boolean;
}

/** A client over n8n's request helper, which adds the bearer token. Throws ConfigurationError. */
export async function clientFor(
	context: ClientContext,
	authentication: string,
	timeoutMs?: number,
): Promise<Client> {
	const access = await accessOf(context, authentication);
	const { baseUrl, accessKey, credentialType, hasTokens } = access;
	const send = senderFor(context, credentialType);
	const transport = createTransport(send);
	return createClient({
		baseUrl,
		auth: platformAuth(accessKey, () => secretsOf(context, credentialType)),
		transport: hasTokens ? withRenewal(transport, send, baseUrl) : transport,
		retry: { maxWaitMs },
		rateLimit: { underWay },
		...(timeoutMs !== undefined && { timeoutMs }),
	});
}

async function accessOf(context: ClientContext, authentication: string): Promise<Access> {
	if (authentication === 'clientCredentials') {
		const credentialType = 'screenAdvertisingClientCredentialsApi';
		const { baseUrl, auth } = readClientCredentialsAccess(
			await context.getCredentials(credentialType),
		);
		return {
			credentialType,
			baseUrl,
			accessKey: auth.clientId,
			hasTokens: true,
		};
	}
	const credentialType = 'screenAdvertisingApi';
	const { baseUrl, apiKey } = readApiKeyAccess(await context.getCredentials(credentialType));
	return { credentialType, baseUrl, accessKey: apiKey, hasTokens: false };
}

/** Read anew, since n8n may have renewed the token meanwhile. */
async function secretsOf(context: ClientContext, credentialType: string): Promise<string[]> {
	const { apiKey, clientSecret, accessToken } = await context.getCredentials(credentialType);
	return [apiKey, clientSecret, accessToken].filter((secret) => typeof secret === 'string');
}

/**
 * While a workflow runs, n8n replaces the signal of a request by its own one for cancelling, which
 * knows nothing of a time-out. So it is asked through a context that answers with ours, of which
 * the one for cancelling is a part.
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
