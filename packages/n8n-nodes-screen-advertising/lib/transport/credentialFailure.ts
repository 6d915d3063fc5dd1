import { TransportError } from '@screen-advertising/core';
import { type IHttpRequestOptions, UserError } from 'n8n-workflow';

/** What failed when n8n got no access token. */
export const failingCredential = 'The credential "Screen Advertising Client Credentials API"';

/**
 * n8n fetches the token within the time of the request that needs it. Once that has passed, the
 * request is not sent at all, and must not look as if its response had been lost.
 */
export function checkInTime({ abortSignal }: IHttpRequestOptions): void {
	if (!abortSignal?.aborted) return;
	const failure = new TransportError(
		'The request was not sent: the access token arrived too late',
		{ code: 'timeout', remedy: 'Retry, or allow more time.', sent: 'no' },
	);
	throw new UserError(failure.message, { cause: failure });
}
