import { ScreenAdvertisingError, TransportError } from '@screen-advertising/core';
import { type IHttpRequestOptions, UserError } from 'n8n-workflow';

export const failingCredential =
	'The credential "Screen Advertising Client Credentials API" does not work.';

const tokenTooLate =
	'The request was not sent: the access token arrived too late. Retry, or allow more time.';

/** Up to n8n 2.35, a node receives only the message of an error that a credential throws. */
export function credentialFailure(message: string): ScreenAdvertisingError | undefined {
	if (message === tokenTooLate) {
		return new TransportError(tokenTooLate, { code: 'timeout', sent: 'no' });
	}
	return message.startsWith(failingCredential)
		? new ScreenAdvertisingError('authentication_failed', message)
		: undefined;
}

/**
 * n8n fetches the token within the time of the request that needs it. Once that has passed, the
 * request is not sent at all, and must not look as if its response had been lost.
 */
export function checkInTime({ abortSignal }: IHttpRequestOptions): void {
	if (!abortSignal?.aborted) return;
	throw new UserError(tokenTooLate, { cause: credentialFailure(tokenTooLate) });
}
