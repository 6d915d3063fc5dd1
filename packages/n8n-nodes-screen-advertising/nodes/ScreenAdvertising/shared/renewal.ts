import { credentialFailure, tokenTooLate } from '../../../credentials/shared/failure';
import { ownFailure, type Send } from './transport';

/** Of the question and the token together. */
const timeoutMs = 60_000;

/**
 * n8n renews a token when a 401 is an error. Up to n8n 2.10 it cannot make an error of a 401 alone,
 * and its errors hold no answer. So every status comes as an answer; after a 401 a question makes
 * n8n renew the token, whatever comes of it, and then the request is sent again. Requests that were
 * refused meanwhile wait for the same renewal.
 */
export function withRenewal(send: Send, baseUrl: string): Send {
	let renewal: Promise<void> | undefined;

	async function renew(): Promise<void> {
		await send({
			url: `${baseUrl}/screens?limit=1`,
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: AbortSignal.timeout(timeoutMs),
		}).catch((error: unknown) => {
			const failure = ownFailure(error);
			if (failure) throw failure;
		});
	}

	return async (options) => {
		const response = await send(options);
		if (response.statusCode !== 401) return response;
		renewal ??= renew().finally(() => {
			renewal = undefined;
		});
		await inTime(renewal, options.abortSignal);
		return await send(options);
	};
}

async function inTime(renewal: Promise<void>, signal: AbortSignal): Promise<void> {
	const over = new Promise<never>((_, reject) => {
		const end = () => reject(credentialFailure(tokenTooLate));
		if (signal.aborted) end();
		else signal.addEventListener('abort', end, { once: true });
	});
	await Promise.race([renewal, over]);
}
