import { type Auth, createClient, ScreenAdvertisingError } from '@screen-advertising/core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readApiKeyAccess, readClientCredentialsAccess } from '../../lib/access';
import {
	notSentMessage,
	n8nClock,
	createTransport,
	credentialTestSender,
} from '../../lib/transport';

import { credentialTestFailureText, mayBeFromProxy } from '../../lib/errorMessages';

type Credential = ICredentialDataDecryptedObject;

export async function testApiKey(
	context: ICredentialTestFunctions,
	credential: Credential,
): Promise<INodeCredentialTestResult> {
	return await test(context, 'API key', () => readApiKeyAccess(credential));
}

export async function testClientCredentials(
	context: ICredentialTestFunctions,
	credential: Credential,
): Promise<INodeCredentialTestResult> {
	return await test(context, 'access token', () => readClientCredentialsAccess(credential));
}

/**
 * Reads one screen, the only request that needs nothing but the credential. This is a function
 * because n8n's declarative test shows raw codes such as ECONNREFUSED. It would also fail the
 * credential for every status that is not a success.
 */
async function test(
	context: ICredentialTestFunctions,
	what: string,
	read: () => { readonly baseUrl: string; readonly auth: Auth },
): Promise<INodeCredentialTestResult> {
	try {
		const client = createClient({
			...read(),
			// A separate clock: a token that an earlier test fetched proves nothing about this secret.
			transport: { ...createTransport(credentialTestSender(context)), clock: { ...n8nClock } },
			retry: false,
			rateLimit: false,
		});
		await client.screens.list({ limit: 1 });
		return { status: 'OK', message: 'Connection tested successfully' };
	} catch (error) {
		if (ScreenAdvertisingError.isInstance(error)) return testMessage(error, what);
		return { status: 'Error', message: notSentMessage('n8n could not send the test', error) };
	}
}

/** The result of a failed test, as the credential dialog shows it. */
function testMessage(error: ScreenAdvertisingError, what: string): INodeCredentialTestResult {
	if (error.code === 'missing_scope' && !mayBeFromProxy(error)) {
		return {
			status: 'OK',
			message: `The ${what} works but has no screens:read scope, which this test needs. Operations within its scopes will work.`,
		};
	}
	// The reason why no token could be fetched says enough.
	const reason = ScreenAdvertisingError.isInstance(error.cause) ? error.cause : error;
	return { status: 'Error', message: failure(reason, what) };
}

function failure(error: ScreenAdvertisingError, what: string): string {
	const { code, message, status, retryAfter } = error;
	const said = error.said ? ` ${error.said}` : '';
	if (mayBeFromProxy(error) && error.operation !== 'token')
		return unproved(status ?? 0, what, said);
	switch (code) {
		case 'authentication_failed':
			return what === 'API key'
				? `The service does not accept the API key (401).${said} Copy the whole key again, and check that it belongs to this base URL.`
				: tokenRefused(error, said);
		case 'not_found':
			return `The service was not found at this base URL (404).${said} Check the address: it ends in /api/v1.`;
		case 'rate_limited':
			return `Rate limit reached. Test again in ${Math.ceil(retryAfter ?? 60)} s.`;
		case 'service_error':
			return `The service is not available (${status}).${said} The credential was not checked. Test again in a minute.`;
		case 'conflict':
		case 'invalid_request':
			return `The service rejected the test (${status}).${said} Check that the base URL leads to the service. If it does, tell the Screen Advertising team.`;
		case 'network_error':
			return credentialTestFailureText(error);
		default:
			return message;
	}
}

/** The status of a response that may be a proxy's proves nothing about the credential. */
function unproved(status: number, what: string, said: string): string {
	if (status === 404) {
		return `The service was not found at this base URL (404).${said} Check the address: it ends in /api/v1.`;
	}
	const isPassing = status === 408 || status >= 500;
	const did = isPassing ? 'reported an error' : 'refused the test';
	const todo = isPassing
		? 'Test again in a minute.'
		: 'Check that the base URL leads to the service, and any proxy in between.';
	const key = status === 401 ? ` If both are right, copy the ${what} again.` : '';
	return `The service, or something in front of it, ${did} (${status}).${said} The credential was not checked. ${todo}${key}`;
}

/**
 * The client ID and its secret may be wrong, or the service refuses the token it issued for them.
 */
function tokenRefused({ message, operation }: ScreenAdvertisingError, said: string): string {
	return operation === 'token'
		? message
		: `The service rejected the access token that it just issued (401).${said} Check that the base URL is the one you got with the client ID. If it is, tell the Screen Advertising team.`;
}
