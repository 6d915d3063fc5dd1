import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { ScreenAdvertisingError, TokenSource } from '@screen-advertising/core';
import { createTransport } from '../../nodes/ScreenAdvertising/shared/transport';
import { clock } from '../../nodes/ScreenAdvertising/shared/clock';
import { type ClientCredentialsAccess, readClientCredentialsAccess } from './access';

const timeoutMs = 30_000;

/** As long as a token source pauses after a failure: a refused secret is refused at once meanwhile. */
const refusalMs = 6_000;

interface Access {
	readonly source: TokenSource;
	refusal?: { readonly error: Error; readonly until: number };
}

/**
 * n8n asks for a token whenever it has none and after each 401, for every request on its own.
 * All of them in this process share one source per access, so parallel requests cost one token.
 */
const accesses = new Map<string, Access>();

/**
 * A token that differs from the one in `credentials`, which is empty or was just refused.
 * Throws UserError in words that name the credential and hold no secret. It carries no `response`:
 * n8n would take a refused secret for an expired token and ask once more.
 */
export async function accessToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	try {
		const access = accessFor(readClientCredentialsAccess(credentials));
		if (typeof credentials.accessToken === 'string') access.source.refuse(credentials.accessToken);
		return await tokenOf(access, helper);
	} catch (error) {
		throw failure(error);
	}
}

function accessFor({ baseUrl, auth }: ClientCredentialsAccess): Access {
	const key = createHash('sha256')
		.update(JSON.stringify([baseUrl, auth.clientId, auth.clientSecret]))
		.digest('hex');
	const access = accesses.get(key) ?? { source: new TokenSource(auth, baseUrl, clock) };
	accesses.set(key, access);
	return access;
}

async function tokenOf(access: Access, helper: IHttpRequestHelper): Promise<string> {
	if (access.refusal && clock.now() < access.refusal.until) throw access.refusal.error;
	const transport = createTransport(async (options) => await helper.helpers.httpRequest(options));
	return await access.source.get({ transport, timeoutMs }).catch((error: unknown) => {
		if (isRefusal(error)) access.refusal = { error, until: clock.now() + refusalMs };
		throw error;
	});
}

function isRefusal(error: unknown): error is ScreenAdvertisingError {
	return ScreenAdvertisingError.isInstance(error) && error.code === 'authentication_failed';
}

function failure(error: unknown): Error {
	if (!ScreenAdvertisingError.isInstance(error)) {
		return new UserError('No access token could be had for the Screen Advertising credential.', {
			cause: error,
		});
	}
	return new UserError(
		`The credential "Screen Advertising Client Credentials API" does not work. ${error.message}`,
		{ cause: error },
	);
}
