import { type Client, type ClientOptions, createClient } from '@screen-advertising/core';
import { couponKey, withLeadCoupons } from '@screen-advertising/core/lead-coupons';
import { bareKey, platformAuth } from '@screen-advertising/core/platform';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { readApiKeyAccess, readClientCredentialsAccess, requestsPerMinute } from './access/access';
import { credentialText } from './access/credentialText';
import { withRenewal } from './access/renewal';
import { createTransport, type Send } from './transport/transport';

type ClientContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A client waits out a 429, however many items are in the same queue. */
const maxWaitMs = 15 * 60_000;

/** As many as Concurrency allows: the user decides how many items run at once. */
const maxConcurrent = 500;

type Options = Pick<ClientOptions, 'timeoutMs' | 'beforeRequest' | 'onAttempt'>;

/**
 * The client for each item of an execution: one for each access and time-out, since expressions may
 * make them others for each item. Rejects with ConfigurationError.
 */
export function clientsFor(
	context: IExecuteFunctions,
	options: Options,
): (index: number, timeoutMs: number) => Promise<Client> {
	const clients = new Map<string, Client>();
	return async (index, timeoutMs) => {
		const access = await accessOf(
			context,
			context.getNodeParameter('authentication', index),
			index,
		);
		// Renewing a token makes it no other access.
		const key = JSON.stringify([{ ...access.credential, accessToken: undefined }, timeoutMs]);
		const client = clients.get(key) ?? clientOf(context, access, { ...options, timeoutMs });
		clients.set(key, client);
		return client;
	};
}

/** The client of anything that runs without items. Rejects with ConfigurationError. */
export async function clientFor(context: ClientContext, authentication: unknown): Promise<Client> {
	return clientOf(context, await accessOf(context, authentication));
}

type Access = Awaited<ReturnType<typeof accessOf>>;

async function accessOf(context: ClientContext, authentication: unknown, index?: number) {
	const hasTokens = authentication === 'clientCredentials';
	const type = credentialType(authentication);
	const credential = await credentialsOf(context, type, index);
	const { baseUrl, auth } = hasTokens
		? readClientCredentialsAccess(credential)
		: readApiKeyAccess(credential);
	return { type, credential, index, baseUrl, auth, hasTokens };
}

/** The type of credential with which a node signs in. */
export function credentialType(authentication: unknown): string {
	return authentication === 'clientCredentials'
		? 'screenAdvertisingClientCredentialsApi'
		: 'screenAdvertisingApi';
}

/** Over n8n's request helper, which adds the bearer token. */
function clientOf(context: ClientContext, access: Access, options: Options = {}): Client {
	const { type, credential, index, baseUrl, auth, hasTokens } = access;
	const send = senderFor(context, type, index);
	const secrets = async () => secretsIn(await credentialsOf(context, type, index));
	const requests = requestsPerMinute(credential);
	const client = createClient({
		baseUrl,
		auth: platformAuth('key' in auth ? auth.key : auth.clientId, secrets),
		transport: createTransport(hasTokens ? withRenewal(send, credential) : send),
		retry: { maxWaitMs },
		rateLimit: { requests, maxConcurrent },
		...options,
	});
	return withLeadCoupons(client, couponKey(credentialText(credential.couponKey), auth));
}

/** Only while a workflow runs has n8n items, whose values expressions in a credential use. */
async function credentialsOf(
	context: ClientContext,
	type: string,
	index: number | undefined,
): Promise<ICredentialDataDecryptedObject> {
	return isExecution(context)
		? await context.getCredentials(type, index)
		: await context.getCredentials(type);
}

/** Read each time, since n8n may have renewed the token meanwhile. */
function secretsIn(credential: ICredentialDataDecryptedObject): string[] {
	const { apiKey, clientSecret, couponKey: key } = credential;
	const tokens = String(credential.accessToken ?? '').split(' ');
	const secrets = [bareKey(apiKey), clientSecret, key, ...tokens];
	return secrets.filter((secret) => typeof secret === 'string' && secret !== '') as string[];
}

function isExecution(context: ClientContext): context is IExecuteFunctions {
	return 'getExecutionCancelSignal' in context;
}

/**
 * n8n's helper reads the credential for the first item. While a workflow runs, it also replaces a
 * request's signal with its own cancel signal, which ignores our time-out. So the helper runs on a
 * context with the credential of the item, and a cancel signal that is ours, which includes n8n's.
 */
function senderFor(context: ClientContext, type: string, index: number | undefined): Send {
	return async (options) => {
		const own: ClientContext = isExecution(context)
			? (Object.create(context, {
					getExecutionCancelSignal: { value: () => options.abortSignal },
					getCredentials: { value: async () => await context.getCredentials(type, index) },
				}) as IExecuteFunctions)
			: context;
		return await context.helpers.httpRequestWithAuthentication.call(own, type, options);
	};
}
