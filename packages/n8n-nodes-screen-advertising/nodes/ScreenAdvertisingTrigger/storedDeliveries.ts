type Entry = readonly [key: string, claimedAt: number];

/** n8n reads and writes static data whole with each delivery; these take 50 KB. */
const maxStored = 2000;

/** 72 bits of a hash are more than enough for the number of events remembered. */
const keyLength = 12;

/** Formats the newest entries as one text, since n8n watches every single value in static data. */
export function formatDeliveries(entries: readonly Entry[]): string {
	return entries
		.slice(-maxStored)
		.map(([key, claimedAt]) => `${key}:${Math.floor(claimedAt / 1000)}`)
		.join(' ');
}

/** Reads the stored entries; skips what cannot be read. */
export function parseDeliveries(stored: unknown): Entry[] {
	if (typeof stored !== 'string') return [];
	return [...stored.matchAll(/(\S+):(\d+)/g)].map(([, key = '', seconds]) => [
		key,
		Number(seconds) * 1000,
	]);
}

/** A key of `eventKey` without its kind, as short as possible. */
export function shortKey(key: string): string {
	return key.slice(key.indexOf(':') + 1).slice(0, keyLength);
}
