import type { ScreenAdvertisingError } from '@screen-advertising/core';
import { outsideText } from '@screen-advertising/core/platform';

/**
 * Quotes what the service said about a failure, as a separate sentence. If the body is not a
 * problem document, says how the core describes it. Empty without a body.
 */
export function quoted({ problem, message }: ScreenAdvertisingError): string {
	const said = [problem?.detail, problem?.title].find(
		(text) => typeof text === 'string' && text.trim() !== '',
	);
	if (said === undefined) return outlineIn(message);
	const text = outsideText(said);
	return `The service says: "${text}"${/[.!?…]$/.test(text) ? '' : '.'}`;
}

function outlineIn(message: string): string {
	return /The response is not a problem document, .*\)\./.exec(message)?.[0] ?? '';
}
