import {
	type Clock,
	ScreenAdvertisingError,
	type Transport,
	TransportError,
	type TransportRequest,
	type TransportResponse,
} from '@screen-advertising/core';
import {
	type ByteStream,
	networkFailure,
	readBody,
	joinSentences,
	timeoutFailure,
	unlessAborted,
} from '@screen-advertising/core/platform';
import {
	type ICredentialTestFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	sleep,
} from 'n8n-workflow';
import { name, version } from '../package.json';

/**
 * One object for the whole process: the core shares limits among all clients with the same clock.
 */
export const n8nClock = {
	now: () => performance.now(),
	date: () => Date.now(),
	sleep: async (ms: number, signal?: AbortSignal) => await sleep(ms, signal),
} satisfies Clock;

export type SendHttpRequest = (
	options: IHttpRequestOptions & { abortSignal: AbortSignal },
) => Promise<IN8nHttpFullResponse>;

/** Every request names this package. */
export const userAgentHeader = { 'user-agent': `${name}/${version}` };

const utf8 = new TextDecoder();

/**
 * Turns n8n's request helper into the core's transport. The body is a stream, since n8n does not
 * limit its size, and stays text: the core parses it.
 */
export function createTransport(send: SendHttpRequest): Transport {
	return {
		clock: n8nClock,
		async send(request) {
			const timeout = AbortSignal.timeout(request.timeoutMs);
			const { signal } = request;
			const abortSignal = signal ? AbortSignal.any([timeout, signal]) : timeout;
			let head: Omit<TransportResponse, 'body'> | undefined;
			try {
				const sent = send({
					method: request.method,
					url: request.url,
					headers: { ...request.headers, ...userAgentHeader },
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
				// The status is known, even if the body did not arrive.
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

/**
 * n8n's errors hold the whole request with its bearer token, so none of them becomes a cause: only
 * Node's facts about the network are kept.
 */
function failureOf(error: unknown, request: TransportRequest, timeout: AbortSignal): unknown {
	if (request.signal?.aborted) return request.signal.reason;
	const links = causesOf(error);
	// An error that this package threw below n8n's request helper.
	const own = links.find((link) => ScreenAdvertisingError.isInstance(link));
	if (own) return own;
	if (timeout.aborted) return timeoutFailure(request.url);
	const isOfTheNetwork = links.some(({ isAxiosError }) => isAxiosError === true);
	// zlib's own code, and those of Brotli.
	if (links.some(({ code }) => /^(Z_DATA_ERROR$|ERR__)/.test(String(code))))
		return undecodable(request.url);
	for (const link of links) {
		const known = networkFailure(networkFacts(link), request.url);
		if (known) return known;
	}
	return isOfTheNetwork ? interrupted(request.url) : error;
}

type Facts = Readonly<Record<string, unknown>>;

/** The facts that show whether the request can have been sent. */
function networkFacts({ code, syscall, errors, message }: Facts): Facts {
	return { code, syscall, errors, message };
}

function interrupted(url: string): TransportError {
	return new TransportError(
		`The connection to ${new URL(url).host} broke before the response was complete`,
		{ code: 'network_error', remedy: 'Retry.', sent: 'maybe' },
	);
}

/** The bytes are not what the header says: the connection works. */
function undecodable(url: string): TransportError {
	return new TransportError(
		`${new URL(url).host} sent a response that is not encoded as its content-encoding says`,
		{ code: 'network_error', remedy: 'Report this to the Screen Advertising team.', sent: 'maybe' },
	);
}

/** The error and its causes, outermost first. */
function causesOf(error: unknown): Facts[] {
	const links: Facts[] = [];
	let link = error;
	while (typeof link === 'object' && link !== null && links.length < 6) {
		links.push(link as Facts);
		link = (link as Facts).cause;
	}
	return links;
}

/**
 * Says that a request was not sent, and why in n8n's own words. Only n8n's errors for users have a
 * description: others may hold the request.
 */
export function notSentMessage(what: string, error: unknown): string {
	const { message, description } = Object(error) as { message?: string; description?: unknown };
	return joinSentences(typeof description === 'string' ? [what, message, description] : [what]);
}

/** Does something that a signal ends after this time, with the reason. */
export async function withTimeLimit<Result>(
	ms: number,
	work: (end: AbortSignal) => Promise<Result>,
	reason: Error,
): Promise<Result> {
	const end = new AbortController();
	const done = new AbortController();
	n8nClock.sleep(ms, done.signal).then(
		() => end.abort(reason),
		() => undefined,
	);
	try {
		return await work(end.signal);
	} finally {
		done.abort();
	}
}

interface FullResponse extends Omit<IN8nHttpFullResponse, 'body'> {
	/** Up to some version of n8n, the body of an error is text. */
	readonly body: ByteStream | string | undefined;
}

/**
 * Wraps the only request helper that n8n offers to a credential test. The helper takes no signal,
 * so the time ends only the wait for a response, whose connection is closed when it comes.
 */
export function credentialTestSender({ helpers }: ICredentialTestFunctions): SendHttpRequest {
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
