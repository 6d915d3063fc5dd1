import { type Page, ScreenAdvertisingError } from '@screen-advertising/core';
import { nextCursor } from '@screen-advertising/core/platform';
import { clock } from '../transport/transport';

/** More than 30 days of events at one a second. */
const maxPages = 20_000;

/** Milliseconds: n8n waits for a poll, so a list that takes longer is an error. */
const longestPoll = 5 * 60_000;

/** The largest page of the relay. */
const limit = 200;

/** Reads a list of the relay page by page. Throws for a list that does not end. */
export async function* relayPages<Result extends Page<unknown>>(
	read: (page: { limit: number; cursor?: string }) => Promise<Result>,
	maxMs = longestPoll,
): AsyncGenerator<Result, void, undefined> {
	const latest = clock.now() + maxMs;
	const used = new Set<string>();
	let cursor: string | undefined;
	do {
		const page = await read({ limit, ...(cursor !== undefined && { cursor }) });
		yield page;
		cursor = nextCursor(page.pagination);
		if (cursor === undefined) return;
		if (used.has(cursor) || used.size >= maxPages || clock.now() >= latest) throw endless();
		used.add(cursor);
	} while (true);
}

/** The list goes beyond every limit. */
export function endless(): ScreenAdvertisingError {
	return new ScreenAdvertisingError(
		'unexpected_response',
		'The list of the relay does not end. Check that the base URL leads to the relay, or ask its operator.',
	);
}
