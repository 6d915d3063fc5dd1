import { type Auth, createClient, ScreenAdvertisingError } from '@screen-advertising/core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readApiKeyAccess, readClientCredentialsAccess } from '../../../lib/access/access';
import { testSender } from '../../../lib/transport/testSender';
import { clock, createTransport } from '../../../lib/transport/transport';
import { testMessage } from './testMessages';

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
			transport: createTransport(testSender(context)),
			// A separate clock: a token that an earlier test fetched proves nothing about this secret.
			clock: { ...clock },
			retry: false,
			rateLimit: false,
		});
		await client.screens.list({ limit: 1 });
		return { status: 'OK', message: 'Connection tested successfully' };
	} catch (error) {
		if (ScreenAdvertisingError.isInstance(error)) return testMessage(error, what);
		return { status: 'Error', message: `n8n could not send the test. ${String(error)}` };
	}
}
