import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';
import { TransportError } from '@screen-advertising/core';
import { type ByteStream, readBody } from '@screen-advertising/core/platform';
import type { Send } from '../transport/transport';
import { mayHaveExpired, refuseToken } from './accessToken';

/** Passes from the node through n8n's request helper to the credential. */
interface Renewable extends IHttpRequestOptions {
	readonly token?: {
		/** The token that the credential added. */
		sent?: string;
		/** The service refused it: the credential makes n8n renew it. */
		refused?: string | undefined;
	};
}

/**
 * Sends a request again with a new token when the service refused the token of the first; the
 * second response counts. n8n renews a token for a 401 alone, and only if the helper throws it.
 * Thrown responses lose their body, so the credential throws instead: see `checkToken`.
 */
export function withRenewal(send: Send, credential: ICredentialDataDecryptedObject): Send {
	return async (options) => {
		const token: Renewable['token'] = {};
		const first = await send(Object.assign({ ...options }, { token }));
		const { sent = '' } = token;
		const isRefused =
			first.statusCode === 401 || (first.statusCode === 403 && mayHaveExpired(credential, sent));
		if (!isRefused) return first;
		release(first.body, options.url);
		refuseToken(credential, sent);
		const renewed: Renewable['token'] = { refused: sent };
		const second = await send(Object.assign({ ...options }, { token: renewed }));
		// Another token did not help, so the next 403 renews none.
		if (second.statusCode === 403) mayHaveExpired(credential, renewed.sent ?? '', true);
		return second;
	};
}

/**
 * This body is not needed, but its connection stays open until it is read. Destroying it does not help:
 * the stream of n8n's HTTP library closes the connection only once the first of it was read.
 */
function release(body: unknown, url: string): void {
	if (typeof body === 'object') readBody(body as ByteStream, url).catch(() => undefined);
}

/**
 * Called with the token that the credential is about to add. Throws what n8n takes for a 401 if there
 * is none for this access, or if the service refused it: n8n then renews it and asks the credential
 * again, at most once.
 */
export function checkToken({ token = {} }: Renewable, adding: string): void {
	const isUsable = adding !== '' && token.refused !== adding;
	token.refused = undefined;
	token.sent = adding;
	if (isUsable) return;
	throw Object.assign(new UserError('The access token has expired.'), {
		response: { status: 401 },
	});
}

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
