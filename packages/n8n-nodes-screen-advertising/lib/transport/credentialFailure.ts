import { TransportError } from '@screen-advertising/core';
import { type IHttpRequestOptions, UserError } from 'n8n-workflow';

export const failingCredential =
	'The credential "Screen Advertising Client Credentials API" does not work.';

const tokenTooLate =
	'The request was not sent: the access token arrived too late. Retry, or allow more time.';

/**
 * n8n fetches the token within the time of the request that needs it. Once that has passed, the
 * request is not sent at all, and must not look as if its response had been lost.
 */
export function checkInTime({ abortSignal }: IHttpRequestOptions): void {
	if (!abortSignal?.aborted) return;
	throw new UserError(tokenTooLate, {
		cause: new TransportError(tokenTooLate, { code: 'timeout', sent: 'no' }),
	});
}
