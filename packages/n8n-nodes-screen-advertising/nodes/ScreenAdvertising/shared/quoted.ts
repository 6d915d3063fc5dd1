import type { Problem } from '@screen-advertising/core';

const maxLength = 300;

/** What the service said about a failure, as a sentence to stand between two others. */
export function quoted(problem: Problem | undefined): string {
	const said = [problem?.detail, problem?.title].find(
		(words) => typeof words === 'string' && words.trim() !== '',
	);
	if (said === undefined) return '';
	const line = said.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	const text = line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
	return ` The service says: "${text}"`;
}
