import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import {
	ScreenAdvertisingError,
	TransportError,
	type Transport,
	type TransportRequest,
	type TransportResponse,
} from '@screen-advertising/core';
import {
	type ByteStream,
	collected,
	networkFailure,
	timeoutFailure,
} from '@screen-advertising/core/platform';
import { credentialFailure } from './credentialFailure';
import { chain, member } from './causes';
import { clock } from '../clock';

export type Send = (
	options: IHttpRequestOptions & { abortSignal: AbortSignal },
) => Promise<IN8nHttpFullResponse>;

/**
 * A request helper of n8n's as the core's transport. The body comes as a stream, since n8n bounds
 * none, and stays text: the core parses it.
 */
export function createTransport(send: Send): Transport {
	return {
		clock,
		async send(request) {
			const timeout = AbortSignal.timeout(request.timeoutMs);
			try {
				return await toResponse(
					request.url,
					await send({
						method: request.method,
						url: request.url,
						headers: { ...request.headers },
						...(request.body !== undefined && { body: request.body }),
						encoding: 'stream',
						returnFullResponse: true,
						disableFollowRedirect: true,
						timeout: request.timeoutMs,
						abortSignal: request.signal ? AbortSignal.any([timeout, request.signal]) : timeout,
						ignoreHttpStatusErrors: true,
					}),
				);
			} catch (error) {
				throw failure(error, request, timeout);
			}
		},
	};
}

const utf8 = new TextDecoder();

async function toResponse(url: string, response: IN8nHttpFullResponse): Promise<TransportResponse> {
	const { statusCode: status, headers, body } = response;
	const text =
		typeof body === 'string' ? body : utf8.decode(await collected(body as ByteStream, url));
	return { status, headers: lowerCase(headers), body: text };
}

function lowerCase(headers: unknown): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers ?? {}).map(([name, value]) => [
			name.toLowerCase(),
			Array.isArray(value) ? value.join(', ') : String(value),
		]),
	);
}

/**
 * n8n's errors hold the whole request with its bearer token, so none of them becomes a cause:
 * only what Node says of the network goes on.
 */
function failure(error: unknown, request: TransportRequest, timeout: AbortSignal): unknown {
	if (request.signal?.aborted) return request.signal.reason;
	const own = ownFailure(error);
	if (own) return own;
	if (timeout.aborted) return timeoutFailure(request.url);
	const links = chain(error);
	const isOfTheNetwork = links.some((link) => member(link, 'isAxiosError') === true);
	for (const link of links) {
		const known = networkFailure(networkFacts(link), request.url);
		if (known) return known;
	}
	return isOfTheNetwork ? interrupted(request.url) : error;
}

/** What this package threw itself, below n8n's request helper. */
export function ownFailure(error: unknown): ScreenAdvertisingError | undefined {
	const links = chain(error);
	const own = links.find((link) => ScreenAdvertisingError.isInstance(link));
	return own ?? credentialFailure(String(member(links.at(-1), 'message')));
}

/** What tells whether the request can have been sent. */
function networkFacts(error: unknown): Record<string, unknown> {
	const names = ['code', 'syscall', 'errors', 'message'];
	return Object.fromEntries(names.map((name) => [name, member(error, name)]));
}

function interrupted(url: string): TransportError {
	return new TransportError(
		`The connection to ${new URL(url).host} broke before the answer was complete. Try again.`,
		{ code: 'network_error', sent: 'maybe' },
	);
}
