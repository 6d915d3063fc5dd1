import type { Transport, TransportRequest, TransportResponse } from '@screen-advertising/core';
import { ownFailure } from './failure';
import { type Send, userAgent } from './transport';

/** For the probe and the token together. */
const timeoutMs = 60_000;

/**
 * n8n renews a token when a 401 is an error. Up to n8n 2.10 it cannot make an error of 401 alone,
 * and its errors hold no response. So every status arrives as a response. After a 401, a probe
 * makes n8n renew the token, whatever the probe returns, and then the request is sent again.
 * Requests refused meanwhile wait for the same renewal.
 */
export function withRenewal(transport: Transport, send: Send, baseUrl: string): Transport {
	let renewal: Promise<void> | undefined;

	async function renew(): Promise<void> {
		await send({
			url: `${baseUrl}/screens?limit=1`,
			headers: userAgent,
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: AbortSignal.timeout(timeoutMs),
		}).catch((error: unknown) => {
			const failure = ownFailure(error);
			if (failure) throw failure;
		});
	}

	return {
		...transport,
		async send(request): Promise<TransportResponse> {
			const response = await transport.send(request);
			if (response.status !== 401) return response;
			renewal ??= renew().finally(() => {
				renewal = undefined;
			});
			await Promise.race([renewal, untilLeft(request)]);
			return await transport.send(request);
		},
	};
}

/** Rejects when the caller aborts. */
async function untilLeft({ signal }: TransportRequest): Promise<never> {
	return await new Promise((_, reject) => {
		if (signal?.aborted) reject(signal.reason);
		else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
	});
}
