import { createHash } from 'node:crypto';
import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestHelper,
	UserError,
} from 'n8n-workflow';
import { ScreenAdvertisingError } from '@screen-advertising/core';
import { LruMap, type TokenRequest, TokenSource } from '@screen-advertising/core/platform';
import { notSent } from '../transport/notSent';
import { clock, createTransport } from '../transport/transport';
import { readClientCredentialsAccess } from './access';

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

/** What failed when n8n got no access token. */
export const failingCredential = 'The credential "Screen Advertising Client Credentials API"';

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
			latest: clock.now(),
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
export function refuseToken(credentials: ICredentialDataDecryptedObject, token: string): void {
	sourceFor(credentials).refuse(token);
}

/**
 * Whether a 403 can mean that the token has expired, which the contract does not rule out. Not for
 * a young token, nor in the hour after a new one did not help: then a scope is missing.
 */
export function mayHaveExpired(
	credentials: ICredentialDataDecryptedObject,
	token: string,
	isRenewed = false,
): boolean {
	return sourceFor(credentials).forbid(token, [], isRenewed);
}

function sourceFor(credentials: ICredentialDataDecryptedObject): TokenSource {
	const { baseUrl, auth } = readClientCredentialsAccess(credentials);
	return sources.get(keyOf(credentials), () => new TokenSource(auth, baseUrl, clock));
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
				? await tokenFrom(source, { ...request, latest: clock.now() + maxPauseMs }, attempts - 1)
				: await Promise.reject(error),
		);
}

/** The cause is what the nodes show; the message is for n8n's own HTTP Request node. */
function failure(error: unknown): UserError {
	if (!ScreenAdvertisingError.isInstance(error)) {
		const message = notSent('n8n could not get an access token', error);
		return failure(new ScreenAdvertisingError('network_error', message));
	}
	const { code, status, problem, retryAfter, isRetryable } = error;
	const failed = new ScreenAdvertisingError(code, 'does not work', {
		title: failingCredential,
		status,
		problem,
		retryAfter,
		isRetryable,
		cause: error,
	});
	return new UserError(failed.message, { cause: failed });
}
