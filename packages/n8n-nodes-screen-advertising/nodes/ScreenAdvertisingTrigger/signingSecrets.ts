import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

/**
 * The secrets that may sign deliveries: the current one, and the previous one. Surrounding white
 * space comes from pasting, as with the other credentials.
 */
export function signingSecrets(credential: ICredentialDataDecryptedObject): string[] {
	return [credential.signingSecret, credential.previousSigningSecret]
		.map(trimmed)
		.filter((secret) => secret !== '');
}

/** The service offers no request that checks a secret, so only its format can be checked. */
export function testSigningSecrets(
	credential: ICredentialDataDecryptedObject,
): INodeCredentialTestResult {
	if (trimmed(credential.signingSecret) === '') {
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

function trimmed(secret: unknown): string {
	return typeof secret === 'string' ? secret.trim() : '';
}
