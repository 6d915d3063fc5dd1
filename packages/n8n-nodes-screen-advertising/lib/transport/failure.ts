import {
	ScreenAdvertisingError,
	TransportError,
	type TransportRequest,
} from '@screen-advertising/core';
import { networkFailure, timeoutFailure } from '@screen-advertising/core/platform';
import { credentialFailure } from './credentialFailure';

/**
 * n8n's errors hold the whole request with its bearer token, so none of them becomes a cause: only
 * Node's facts about the network are kept.
 */
export function failureOf(
	error: unknown,
	request: TransportRequest,
	timeout: AbortSignal,
): unknown {
	if (request.signal?.aborted) return request.signal.reason;
	const own = ownFailure(error);
	if (own) return own;
	if (timeout.aborted) return timeoutFailure(request.url);
	const links = causesOf(error);
	const isOfTheNetwork = links.some((link) => get(link, 'isAxiosError') === true);
	for (const link of links) {
		const known = networkFailure(networkFacts(link), request.url);
		if (known) return known;
	}
	return isOfTheNetwork ? interrupted(request.url) : error;
}

/** An error that this package threw below n8n's request helper. */
export function ownFailure(error: unknown): ScreenAdvertisingError | undefined {
	const links = causesOf(error);
	const own = links.find((link) => ScreenAdvertisingError.isInstance(link));
	return own ?? credentialFailure(String(get(links.at(-1), 'message')));
}

/** The facts that show whether the request can have been sent. */
function networkFacts(error: unknown): Record<string, unknown> {
	const names = ['code', 'syscall', 'errors', 'message'];
	return Object.fromEntries(names.map((name) => [name, get(error, name)]));
}

function interrupted(url: string): TransportError {
	return new TransportError(
		`The connection to ${new URL(url).host} broke before the response was complete. Retry.`,
		{ code: 'network_error', sent: 'maybe' },
	);
}

/** The error and its causes, outermost first. */
function causesOf(error: unknown): unknown[] {
	const links: unknown[] = [];
	let link = error;
	while (link !== undefined && link !== null && links.length < 6) {
		links.push(link);
		link = get(link, 'cause') ?? unwrapped(link);
	}
	return links;
}

function get(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null
		? (value as Record<string, unknown>)[name]
		: undefined;
}

/**
 * What an error of n8n's request helper keeps of the error it wraps. Up to n8n 2.35 it has no
 * cause, only the code or status, and the message. Without a code, the network did not fail.
 */
function unwrapped(error: unknown): Record<string, unknown> | undefined {
	const [message] = [get(error, 'messages')].flat();
	if (typeof message !== 'string') return undefined;
	const code = get(error, 'httpCode') ?? undefined;
	const [, syscall] = /^(connect|read|write|getaddrinfo) E/.exec(message) ?? [];
	return { message, code, syscall, isAxiosError: code !== undefined };
}
