import type { ScreenAdvertisingError } from '@screen-advertising/core';

const maxLength = 300;

/**
 * Quotes what the service said about a failure, as a separate sentence. If the body is not a
 * problem document, says how the core describes it. Empty without a body.
 */
export function quoted({ problem, message }: ScreenAdvertisingError): string {
	const said = [problem?.detail, problem?.title].find(
		(text) => typeof text === 'string' && text.trim() !== '',
	);
	if (said === undefined) return outlineIn(message);
	const line = said.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	const text = line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
	return `The service says: "${text}"${/[.!?…]$/.test(text) ? '' : '.'}`;
}

function outlineIn(message: string): string {
	return /The response is not a problem document, .*\)\./.exec(message)?.[0] ?? '';
}
