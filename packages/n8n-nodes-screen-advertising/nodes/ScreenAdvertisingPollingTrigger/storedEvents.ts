import { parseEvent } from '@screen-advertising/core';
import { nextCursor } from '@screen-advertising/core/platform';
import type { RelayClient, RelayEvent } from '@screen-advertising/core/relay';

/** How far the events of one type have been read. */
export interface Position {
	/** When the newest event arrived at the relay, in milliseconds since 1970; 0 before the first. */
	readonly newest: number;
	/** The IDs of the latest events, each with the time of its arrival. */
	readonly seen: Readonly<Record<string, number>>;
}

export interface StoredEvents {
	/** Oldest first. */
	readonly events: readonly RelayEvent[];
	readonly position: Position;
}

/**
 * How far back every poll reads again. The relay dates an event before it commits it, and each of
 * its processes has its own clock, so an event can appear below one that was read before. This is
 * much longer than the 30 s that the relay allows for a commit.
 */
const overlapMs = 5 * 60_000;

const pageSize = 200;

/** The most events that start one execution. The next poll continues with the others. */
const maxEvents = 10_000;

/** The events of a type that no earlier poll has read. */
export async function eventsSince(
	relay: RelayClient,
	type: string,
	{ newest, seen }: Position,
	most = maxEvents,
): Promise<StoredEvents> {
	const from = new Date(Math.max(0, newest - overlapMs)).toISOString();
	const events: RelayEvent[] = [];
	let cursor: string | undefined;
	do {
		const page = await relay.listEvents({
			type,
			from,
			limit: pageSize,
			...(cursor !== undefined && { cursor }),
		});
		events.unshift(...page.data.filter((event) => !Object.hasOwn(seen, idOf(event))).reverse());
		events.splice(most);
		cursor = nextCursor(page.pagination);
	} while (cursor !== undefined);
	return { events, position: advance({ newest, seen }, events) };
}

/** The position after every stored event. */
export async function latestPosition(relay: RelayClient, type: string): Promise<Position> {
	const latest = await latestEvent(relay, type);
	const newest = latest ? arrivedAt(latest) : 0;
	const { position } = await eventsSince(relay, type, { newest, seen: {} }, Infinity);
	return position;
}

export async function latestEvent(
	relay: RelayClient,
	type: string,
): Promise<RelayEvent | undefined> {
	const { data } = await relay.listEvents({ type, limit: 1 });
	return data[0];
}

export const arrivedAt = ({ received_at }: RelayEvent): number => Date.parse(received_at);

/** The service's own ID, which stays the same when a restored relay stores the event again. */
export const idOf = ({ id, payload }: RelayEvent): string =>
	parseEvent(JSON.stringify(payload)).id ?? id;

function advance({ newest, seen }: Position, events: readonly RelayEvent[]): Position {
	const last = events.at(-1);
	const latest = Math.max(newest, last ? arrivedAt(last) : 0);
	const all = [
		...Object.entries(seen),
		...events.map((event): [string, number] => [idOf(event), arrivedAt(event)]),
	];
	return {
		newest: latest,
		seen: Object.fromEntries(all.filter(([, at]) => at >= latest - overlapMs)),
	};
}
