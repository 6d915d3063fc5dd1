import type { ScreenAdvertisingError } from '@screen-advertising/core';

const maxLength = 300;

/** What the service said about a failure, as a sentence of its own; empty when it said nothing. */
export function quoted({ problem, message }: ScreenAdvertisingError): string {
	const said = [problem?.detail, problem?.title, saidIn(message)].find(
		(words) => typeof words === 'string' && words.trim() !== '',
	);
	if (said === undefined) return '';
	const line = said.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	const text = line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
	return `The service says: "${text}"${/[.!?…]$/.test(text) ? '' : '.'}`;
}

/** An answer that is no problem document stands in the core's message, without its markup. */
function saidIn(message: string): string | undefined {
	return / The service says: (.*?)(?: (?:Check|Ask|Try) .*)?$/s.exec(message)?.[1];
}
