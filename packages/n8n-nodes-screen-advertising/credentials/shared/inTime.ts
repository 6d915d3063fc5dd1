import { type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { credentialFailure, tokenTooLate } from './failure';

/**
 * n8n fetches the token within the time of the request that needs it. When that is over, the
 * request is not sent at all, and must not look as if its answer had been lost.
 */
export function checkInTime({ abortSignal }: IHttpRequestOptions): void {
	if (!abortSignal?.aborted) return;
	throw new UserError(tokenTooLate, { cause: credentialFailure(tokenTooLate) });
}
