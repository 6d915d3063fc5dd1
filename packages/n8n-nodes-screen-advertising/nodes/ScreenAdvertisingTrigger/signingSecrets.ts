import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import { credentialText } from '../../lib/access/credentialText';

/**
 * The secrets that may sign deliveries: the current one, and the previous one. Surrounding white
 * space comes from pasting, as with the other credentials.
 */
export function signingSecrets(credential: ICredentialDataDecryptedObject): string[] {
	return [credential.signingSecret, credential.previousSigningSecret]
		.map(credentialText)
		.filter((secret) => secret !== '');
}

/** What people paste here by mistake, by how it starts. */
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
