import { createHash } from 'node:crypto';
import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestHelper,
	UserError,
} from 'n8n-workflow';
import { ScreenAdvertisingError } from '@screen-advertising/core';
import { LruMap, type TokenRequest, TokenSource } from '@screen-advertising/core/platform';
import { clock, createTransport } from '../transport/transport';
import { readClientCredentialsAccess } from './access';
import { failingCredential } from '../transport/credentialFailure';

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
const longestPauseMs = 15 * 60_000;

/**
 * Tokens last an hour. If the service refuses more than this in a minute, it would refuse further
 * ones too.
 */
const maxRefusals = 3;
const refusalSpanMs = 60_000;

interface Access {
	readonly source: TokenSource;
	/** The token issued last, until the service refuses it. */
	latest: string | undefined;
	/** When the service refused the latest tokens. */
	refusals: number[];
}

/**
 * n8n asks for a token whenever it has none and after each 401, separately for every request. All
 * requests in this process share one source per access, so parallel requests cost one token.
 */
const accesses = new LruMap<Access>();

/**
 * Returns a token to replace the one in `credentials`, which is empty or was just refused. Throws a
 * UserError that names the credential and holds no secret. The error has no `response`: n8n would
 * take a refused secret for an expired token and ask again.
 */
export async function fetchAccessToken(
	{ helpers }: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	try {
		const access = accessFor(credentials);
		if (credentials.accessToken === access.latest) noteRefusal(access);
		const token = await tokenFrom(access.source, {
			transport: createTransport(async (options) => await helpers.httpRequest(options)),
			timeoutMs,
			latest: clock.now(),
			secrets: [String(credentials.accessToken ?? '')],
		});
		access.latest = token;
		return token;
	} catch (error) {
		throw failure(error);
	}
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
	return accessFor(credentials).source.forbid(token, [], isRenewed);
}

function accessFor(credentials: ICredentialDataDecryptedObject): Access {
	const { baseUrl, auth } = readClientCredentialsAccess(credentials);
	const key = createHash('sha256')
		.update(JSON.stringify([baseUrl, auth.clientId, auth.clientSecret]))
		.digest('hex');
	return accesses.get(key, () => ({
		source: new TokenSource(auth, baseUrl, clock),
		latest: undefined,
		refusals: [],
	}));
}

function noteRefusal(access: Access): void {
	const now = clock.now();
	access.refusals = access.refusals.filter((at) => now - at < refusalSpanMs);
	if (access.refusals.length >= maxRefusals || access.latest === undefined) return;
	access.refusals.push(now);
	access.source.refuse(access.latest);
	access.latest = undefined;
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
				? await tokenFrom(
						source,
						{ ...request, latest: clock.now() + longestPauseMs },
						attempts - 1,
					)
				: await Promise.reject(error),
		);
}

/** The cause is what the nodes show; the message is for n8n's own HTTP Request node. */
function failure(error: unknown): UserError {
	if (!ScreenAdvertisingError.isInstance(error)) {
		return new UserError(`${failingCredential} does not work. n8n could not get an access token.`);
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
