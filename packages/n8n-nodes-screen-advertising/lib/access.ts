import { createHash } from 'node:crypto';
import {
	apiKey,
	type Client,
	clientCredentials,
	type ClientOptions,
	createClient,
	ScreenAdvertisingError,
	TransportError,
} from '@screen-advertising/core';
import { couponKeyOrSecret, withLeadCoupons } from '@screen-advertising/core/lead-coupons';
import {
	apiKeyWithoutBearer,
	type ByteStream,
	LruMap,
	parseBaseUrl,
	platformAuth,
	readBody,
	readRateLimit,
	type TokenRequest,
	TokenSource,
} from '@screen-advertising/core/platform';
import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	UserError,
} from 'n8n-workflow';
import { n8nClock, createTransport, notSentMessage, type SendHttpRequest } from './transport';

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

/** A field of any credential. An expression may return anything; white space comes from pasting. */
export function credentialText(value: unknown): string {
	return String(value ?? '').trim();
}

/** Requests per minute; 600 in credentials that were saved without. Throws ConfigurationError. */
function requestsPerMinute({ rateLimit }: ICredentialDataDecryptedObject): number {
	return readRateLimit(rateLimit, 'rateLimit', 'Requests per Minute');
}

/**
 * Adds the bearer token to a request to the base URL's own origin, and refuses any other: the HTTP
 * Request node lets a user point a credential anywhere. Redirects are not followed, since n8n would
 * send the token along to subdomains, whatever its options say.
 */
export function addBearerToken(
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
export function clientPerItem(
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
export async function createNodeClient(
	context: ClientContext,
	authentication: unknown,
): Promise<Client> {
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
	const { credential, baseUrl, auth, hasTokens } = access;
	const secrets = new Set<string>();
	const send = senderFor(context, access, secrets);
	const requests = requestsPerMinute(credential);
	const client = createClient({
		baseUrl,
		auth: platformAuth('key' in auth ? auth.key : auth.clientId, () => [...secrets]),
		transport: createTransport(hasTokens ? withRenewal(send, credential) : send),
		retry: { maxWaitMs },
		rateLimit: { requests, maxConcurrent },
		...options,
	});
	return withLeadCoupons(client, couponKeyOrSecret(credentialText(credential.couponKey), auth));
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

function secretsIn(credential: ICredentialDataDecryptedObject): string[] {
	const { apiKey, clientSecret, couponKey: key } = credential;
	const tokens = String(credential.accessToken ?? '').split(' ');
	const secrets = [apiKeyWithoutBearer(apiKey), clientSecret, key, ...tokens];
	return secrets.filter((secret) => typeof secret === 'string' && secret !== '') as string[];
}

function isExecution(context: ClientContext): context is IExecuteFunctions {
	return 'getExecutionCancelSignal' in context;
}

/**
 * n8n's helper reads the credential for the first item. While a workflow runs, it also replaces a
 * request's signal with its own cancel signal, which ignores our time-out. So the helper runs on a
 * context with the credential of the item, and a cancel signal that is ours, which includes n8n's.
 * What the request was sent with, a renewed token too, is then among the secrets.
 */
function senderFor(
	context: ClientContext,
	{ type, index }: Access,
	secrets: Set<string>,
): SendHttpRequest {
	return async (options) => {
		// n8n writes a renewed token into it.
		let used: ICredentialDataDecryptedObject = {};
		const getCredentials = async () => (used = await credentialsOf(context, type, index));
		const own = Object.create(context, {
			getCredentials: { value: getCredentials },
			...(isExecution(context) && {
				getExecutionCancelSignal: { value: () => options.abortSignal },
			}),
		}) as ClientContext;
		try {
			return await context.helpers.httpRequestWithAuthentication.call(own, type, options);
		} finally {
			for (const secret of secretsIn(used)) secrets.add(secret);
		}
	};
}

const timeoutMs = 30_000;

/**
 * Attempts at a token request that may still succeed, each after the pause that the service asks
 * for.
 */
const maxAttempts = 4;

/**
 * A longer pause fails the execution with the reason instead of leaving it hanging for an hour or a
 * day.
 */
const maxPauseMs = 15 * 60_000;

/** The title of errors when n8n got no access token. */
export const noTokenErrorTitle = 'The credential "Screen Advertising Client Credentials API"';

/**
 * n8n asks for a token whenever it has none and after each 401, separately for every request. All
 * requests in this process share one source per access, so parallel requests cost one token.
 */
const sources = new LruMap<TokenSource>();

/**
 * Returns what n8n stores in place of the token in `credentials`, which is missing, was just refused,
 * or belongs to another access: a token with the access that it came from. n8n keeps it when a user
 * edits the credential, and one credential may be several accesses by its expressions. Throws a
 * UserError that names the credential and holds no secret. The error has no `response`: n8n would
 * take a refused secret for an expired token and ask again.
 */
export async function fetchAccessToken(
	{ helpers }: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	const refused = storedToken(credentials);
	try {
		const source = sourceFor(credentials);
		source.refuse(refused);
		const token = await tokenFrom(source, {
			transport: createTransport(async (options) => await helpers.httpRequest(options)),
			timeoutMs,
			latest: n8nClock.now(),
			secrets: [refused],
		});
		return `${keyOf(credentials)} ${token}`;
	} catch (error) {
		throw failure(error);
	}
}

/** The stored token of this very access. Empty if there is none. */
export function storedToken(credentials: ICredentialDataDecryptedObject): string {
	const [key, token = ''] = String(credentials.accessToken ?? '').split(' ');
	return key === keyOf(credentials) ? token : '';
}

/** Makes every request get another token than this one, which the service refused. */
function refuseToken(credentials: ICredentialDataDecryptedObject, token: string): void {
	sourceFor(credentials).refuse(token);
}

/**
 * Whether a 403 can mean that the token has expired, which the contract does not rule out. Not for
 * a young token, nor in the hour after a new one did not help: then a scope is missing.
 */
function mayHaveExpired(
	credentials: ICredentialDataDecryptedObject,
	token: string,
	isRenewed = false,
): boolean {
	return sourceFor(credentials).forbid(token, [], isRenewed);
}

function sourceFor(credentials: ICredentialDataDecryptedObject): TokenSource {
	const { baseUrl, auth } = readClientCredentialsAccess(credentials);
	return sources.get(keyOf(credentials), () => new TokenSource(auth, baseUrl, n8nClock));
}

/** Identifies an access without its secret. */
function keyOf(credentials: ICredentialDataDecryptedObject): string {
	const { baseUrl, auth } = readClientCredentialsAccess(credentials);
	const parts = [baseUrl, auth.clientId, auth.clientSecret];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * For a few seconds, a refused secret fails without a request; after that, the service is asked
 * again.
 */
async function tokenFrom(
	source: TokenSource,
	request: TokenRequest,
	attempts = maxAttempts,
): Promise<string> {
	return await source
		.get(request)
		.catch(async (error: unknown) =>
			ScreenAdvertisingError.isInstance(error) && error.isRetryable && attempts > 1
				? await tokenFrom(source, { ...request, latest: n8nClock.now() + maxPauseMs }, attempts - 1)
				: await Promise.reject(error),
		);
}

/** The cause is what the nodes show; the message is for n8n's own HTTP Request node. */
function failure(error: unknown): UserError {
	if (!ScreenAdvertisingError.isInstance(error)) {
		const message = notSentMessage('n8n could not get an access token', error);
		return failure(new ScreenAdvertisingError('network_error', message));
	}
	const { code, status, problem, retryAfter, isRetryable } = error;
	const failed = new ScreenAdvertisingError(code, 'does not work', {
		title: noTokenErrorTitle,
		status,
		problem,
		retryAfter,
		isRetryable,
		cause: error,
	});
	return new UserError(failed.message, { cause: failed });
}

/** Passes from the node through n8n's request helper to the credential. */
interface Renewable extends IHttpRequestOptions {
	readonly token?: {
		/** The token that the credential added. */
		sent?: string;
		/** The service refused it: the credential makes n8n renew it. */
		refused?: string | undefined;
	};
}

/**
 * Sends a request again with a new token when the service refused the token of the first; the
 * second response counts. n8n renews a token for a 401 alone, and only if the helper throws it.
 * Thrown responses lose their body, so the credential throws instead: see `checkToken`.
 */
function withRenewal(
	send: SendHttpRequest,
	credential: ICredentialDataDecryptedObject,
): SendHttpRequest {
	return async (options) => {
		const token: Renewable['token'] = {};
		const first = await send(Object.assign({ ...options }, { token }));
		const { sent = '' } = token;
		const isRefused =
			first.statusCode === 401 || (first.statusCode === 403 && mayHaveExpired(credential, sent));
		if (!isRefused) return first;
		release(first.body, options.url);
		refuseToken(credential, sent);
		const renewed: Renewable['token'] = { refused: sent };
		const second = await send(Object.assign({ ...options }, { token: renewed }));
		// Another token did not help, so the next 403 renews none.
		if (second.statusCode === 403) mayHaveExpired(credential, renewed.sent ?? '', true);
		return second;
	};
}

/**
 * This body is not needed, but its connection stays open until it is read. Destroying it does not help:
 * the stream of n8n's HTTP library closes the connection only once the first of it was read.
 */
function release(body: unknown, url: string): void {
	if (typeof body === 'object') readBody(body as ByteStream, url).catch(() => undefined);
}

/**
 * Called with the token that the credential is about to add. Throws what n8n takes for a 401 if there
 * is none for this access, or if the service refused it: n8n then renews it and asks the credential
 * again, at most once.
 */
export function checkToken({ token = {} }: Renewable, adding: string): void {
	const isUsable = adding !== '' && token.refused !== adding;
	token.refused = undefined;
	token.sent = adding;
	if (isUsable) return;
	throw Object.assign(new UserError('The access token has expired.'), {
		response: { status: 401 },
	});
}

/**
 * n8n fetches the token within the time of the request that needs it. Once that has passed, the
 * request is not sent at all, and must not look as if its response had been lost.
 */
export function checkNotTimedOut({ abortSignal }: IHttpRequestOptions): void {
	if (!abortSignal?.aborted) return;
	const failure = new TransportError(
		'The request was not sent: the access token arrived too late',
		{ code: 'timeout', remedy: 'Retry, or allow more time.', sent: 'no' },
	);
	throw new UserError(failure.message, { cause: failure });
}
