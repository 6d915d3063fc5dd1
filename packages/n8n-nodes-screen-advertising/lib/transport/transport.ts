import { type IHttpRequestOptions, type IN8nHttpFullResponse, sleep } from 'n8n-workflow';
import type { Clock, Transport, TransportResponse } from '@screen-advertising/core';
import { type ByteStream, readBody, unlessAborted } from '@screen-advertising/core/platform';
import { name, version } from '../../package.json';
import { failureOf } from './failure';

/**
 * One object for the whole process: the core shares limits among all clients with the same clock.
 */
export const clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	sleep: async (ms: number, signal?: AbortSignal) => await sleep(ms, signal),
} satisfies Clock;

export type Send = (
	options: IHttpRequestOptions & { abortSignal: AbortSignal },
) => Promise<IN8nHttpFullResponse>;

/** Every request names this package. */
export const userAgent = { 'user-agent': `${name}/${version}` };

const utf8 = new TextDecoder();

/**
 * Turns n8n's request helper into the core's transport. The body is a stream, since n8n does not
 * limit its size, and stays text: the core parses it.
 */
export function createTransport(send: Send): Transport {
	return {
		clock,
		async send(request) {
			const timeout = AbortSignal.timeout(request.timeoutMs);
			const { signal } = request;
			const abortSignal = signal ? AbortSignal.any([timeout, signal]) : timeout;
			let head: Omit<TransportResponse, 'body'> | undefined;
			try {
				const sent = send({
					method: request.method,
					url: request.url,
					headers: { ...request.headers, ...userAgent },
					...(request.body !== undefined && { body: request.body }),
					encoding: 'stream',
					returnFullResponse: true,
					disableFollowRedirect: true,
					timeout: request.timeoutMs,
					abortSignal,
					ignoreHttpStatusErrors: true,
				});
				// Stop also ends the wait for an access token, which n8n gets before it sends the request.
				const { statusCode, headers, body } = await unlessAborted(sent, signal);
				head = { status: statusCode, headers: lowerCase(headers) };
				const text =
					typeof body === 'string'
						? body
						: utf8.decode(await readBody(body as ByteStream, request.url));
				return { ...head, body: text };
			} catch (error) {
				// What the status says is known, whatever became of the body.
				if (head && head.status >= 300 && !signal?.aborted) return { ...head, body: '' };
				throw failureOf(error, request, timeout);
			}
		},
	};
}

function lowerCase(headers: object | undefined): Record<string, string> {
	const lower: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers ?? {})) {
		lower[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
	}
	return lower;
}
