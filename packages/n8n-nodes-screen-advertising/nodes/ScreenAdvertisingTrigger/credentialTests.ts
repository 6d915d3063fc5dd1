import { ScreenAdvertisingError } from '@screen-advertising/core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { credentialText } from '../../lib/access';
import { credentialTestFailureText } from '../../lib/errorMessages';
import { relayClientOfCredential } from '../../lib/relay';
import { notSentMessage, credentialTestSender } from '../../lib/transport';
import { signingSecrets } from './receive';

/** Asks the relay who owns the key. */
export async function testRelay(
	context: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	try {
		const relay = relayClientOfCredential(credential, credentialTestSender(context), {
			retry: false,
		});
		const { name, source } = await relay.me();
		return {
			status: 'OK',
			message: `Connected to the relay as "${name}", for events of the source "${source}"`,
		};
	} catch (error) {
		return { status: 'Error', message: failure(error) };
	}
}

function failure(error: unknown): string {
	if (!ScreenAdvertisingError.isInstance(error)) {
		return notSentMessage('n8n could not send the test', error);
	}
	return credentialTestFailureText(error);
}

/** Other secrets that people paste here by mistake, by how they start. */
const others = [
	{
		start: 'svc_',
		what: 'an API key',
		belongs: 'It belongs into a Screen Advertising API credential.',
	},
	{
		start: 'rly_',
		what: 'the connector key of a relay',
		belongs: 'It belongs into a Screen Advertising Relay API credential.',
	},
];

/** The service offers no request that checks a secret, so only its format can be checked. */
export function testSigningSecrets(
	credential: ICredentialDataDecryptedObject,
): INodeCredentialTestResult {
	const secrets = signingSecrets(credential);
	const other = others.find(({ start }) => secrets.some((secret) => secret.startsWith(start)));
	if (other) {
		return {
			status: 'Error',
			message: `This is ${other.what}, not a signing secret. ${other.belongs} Paste the signing secret that the Screen Advertising team gave you.`,
		};
	}
	if (credentialText(credential.signingSecret) === '') {
		return {
			status: 'Error',
			message: 'The signing secret is missing. Paste the one the Screen Advertising team gave you.',
		};
	}
	return {
		status: 'OK',
		message: 'The secret can be used. Whether it is the right one shows with the first delivery.',
	};
}
