import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

/**
 * The secrets that deliveries may be signed with: the current one, and the one before it. White
 * space around them came with pasting, as with the other credentials.
 */
export function signingSecrets(credential: ICredentialDataDecryptedObject): string[] {
	return [credential.signingSecret, credential.previousSigningSecret]
		.map(trimmed)
		.filter((secret) => secret !== '');
}

/** The service offers no call to check a secret with, so only its form can be judged. */
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
