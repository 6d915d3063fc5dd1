import { createHash } from 'node:crypto';
import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestHelper,
	UserError,
} from 'n8n-workflow';
import { ScreenAdvertisingError, TokenSource, type Transport } from '@screen-advertising/core';
import { clock } from '../../nodes/ScreenAdvertising/shared/clock';
import { createTransport } from '../../nodes/ScreenAdvertising/shared/transport';
import { type ClientCredentialsAccess, readClientCredentialsAccess } from './access';

const timeoutMs = 30_000;

/** Of a request for a token that may succeed later, each after the pause that the service asks for. */
const maxTries = 4;

/**
 * n8n asks for a token whenever it has none and after each 401, for every request on its own.
 * All of them in this process share one source per access, so parallel requests cost one token.
 */
const sources = new Map<string, TokenSource>();

/**
 * A token that differs from the one in `credentials`, which is empty or was just refused.
 * Throws UserError in words that name the credential and hold no secret. It carries no `response`:
 * n8n would take a refused secret for an expired token and ask once more.
 */
export async function accessToken(
	{ helpers }: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	try {
		const source = sourceFor(readClientCredentialsAccess(credentials));
		source.refuse(String(credentials.accessToken));
		return await tokenFrom(
			source,
			createTransport(async (options) => await helpers.httpRequest(options)),
		);
	} catch (error) {
		throw failure(error);
	}
}

function sourceFor({ baseUrl, auth }: ClientCredentialsAccess): TokenSource {
	const key = createHash('sha256')
		.update(JSON.stringify([baseUrl, auth.clientId, auth.clientSecret]))
		.digest('hex');
	const source = sources.get(key) ?? new TokenSource(auth, baseUrl, clock);
	sources.set(key, source);
	return source;
}

/** A refused secret is refused again at once for some seconds, and only then asked about anew. */
async function tokenFrom(
	source: TokenSource,
	transport: Transport,
	tries = maxTries,
	latest: number = clock.now(),
): Promise<string> {
	return await source
		.get({ transport, timeoutMs, latest })
		.catch(async (error: unknown) =>
			ScreenAdvertisingError.isInstance(error) && error.isRetryable && tries > 1
				? await tokenFrom(source, transport, tries - 1, Number.POSITIVE_INFINITY)
				: await Promise.reject(error),
		);
}

/** The cause is what the nodes show; the message is for n8n's own HTTP Request node. */
function failure(error: unknown): UserError {
	if (!ScreenAdvertisingError.isInstance(error)) {
		return new UserError(`${credential} does not work. No access token could be had.`);
	}
	const message = `${credential} does not work. ${error.message}`;
	const { code, status, problem, retryAfter, isRetryable } = error;
	const details = { status, problem, retryAfter, isRetryable };
	return new UserError(message, { cause: new ScreenAdvertisingError(code, message, details) });
}

const credential = 'The credential "Screen Advertising Client Credentials API"';
