import { type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { TransportError } from '@screen-advertising/core';

/**
 * n8n fetches the token within the time of the request that needs it. When that is over, the
 * request is not sent at all, and must not look as if its answer had been lost.
 */
export function checkInTime({ abortSignal }: IHttpRequestOptions): void {
	if (!abortSignal?.aborted) return;
	const message =
		'The request was not sent, because the access token came too late. Try again later, or allow more time.';
	throw new UserError(message, {
		cause: new TransportError(message, { code: 'timeout', sent: 'no' }),
	});
}
