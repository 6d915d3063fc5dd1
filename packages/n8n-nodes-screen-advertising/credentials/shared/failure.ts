import { ScreenAdvertisingError, TransportError } from '@screen-advertising/core';

export const failingCredential =
	'The credential "Screen Advertising Client Credentials API" does not work.';

export const tokenTooLate =
	'The request was not sent, because the access token came too late. Try again later, or allow more time.';

/** Up to n8n 2.35 a node gets of what a credential throws nothing but the message. */
export function credentialFailure(message: string): ScreenAdvertisingError | undefined {
	if (message === tokenTooLate) {
		return new TransportError(tokenTooLate, { code: 'timeout', sent: 'no' });
	}
	return message.startsWith(failingCredential)
		? new ScreenAdvertisingError('authentication_failed', message)
		: undefined;
}
