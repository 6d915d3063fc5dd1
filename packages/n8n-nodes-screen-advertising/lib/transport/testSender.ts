import type { ICredentialTestFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { ByteStream } from '@screen-advertising/core/platform';
import type { Send } from './transport';

interface FullResponse extends Omit<IN8nHttpFullResponse, 'body'> {
	/** Up to some version of n8n, the body of an error is text. */
	readonly body: ByteStream | string | undefined;
}

/**
 * Wraps the only request helper that n8n offers to a credential test. The helper takes no signal,
 * so the time ends only the wait for a response, whose connection is closed when it comes.
 */
export function testSender({ helpers }: ICredentialTestFunctions): Send {
	return async ({ method, url, headers, body, timeout, abortSignal }) => {
		abortSignal.throwIfAborted();
		const sent = helpers.request({
			method,
			uri: url,
			headers,
			body,
			timeout,
			useStream: true,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
		}) as Promise<FullResponse>;
		// Its own timeout starts again with every byte.
		const response = await Promise.race([closedWith(abortSignal, sent), aborted(abortSignal)]);
		return { ...response, body: (response.body ?? '') as IN8nHttpFullResponse['body'] };
	};
}

/** The signal closes the connection, also one whose response arrives after it. */
async function closedWith(signal: AbortSignal, sent: Promise<FullResponse>): Promise<FullResponse> {
	const response = await sent;
	const { body } = response;
	if (typeof body === 'object') {
		signal.addEventListener('abort', () => body.destroy(), { once: true });
		if (signal.aborted) body.destroy();
	}
	return response;
}

async function aborted(signal: AbortSignal): Promise<never> {
	return await new Promise((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason), { once: true });
	});
}
