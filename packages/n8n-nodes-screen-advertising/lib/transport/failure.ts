import {
	ScreenAdvertisingError,
	TransportError,
	type TransportRequest,
} from '@screen-advertising/core';
import { networkFailure, timeoutFailure } from '@screen-advertising/core/platform';

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
