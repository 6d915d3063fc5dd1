import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

/** The secrets that deliveries may be signed with: the current one, and the one before it. */
export function signingSecrets(credential: ICredentialDataDecryptedObject): string[] {
	return [credential.signingSecret, credential.previousSigningSecret].filter(
		(secret): secret is string => typeof secret === 'string' && secret !== '',
	);
}

/** The service offers no call to check a secret with, so only its form can be judged. */
export function testSigningSecrets(
	credential: ICredentialDataDecryptedObject,
): INodeCredentialTestResult {
	const secrets = signingSecrets(credential);
	if (typeof credential.signingSecret !== 'string' || credential.signingSecret === '') {
		return { status: 'Error', message: 'The signing secret is missing.' };
	}
	if (secrets.some((secret) => secret.trim() !== secret)) {
		return {
			status: 'Error',
			message: 'A secret begins or ends with white space. Paste it again without.',
		};
	}
	return {
		status: 'OK',
		message: 'The secret can be used. Whether it is the right one shows with the first delivery.',
	};
}
