import { createHash } from 'node:crypto';
import { parseEvent } from '@screen-advertising/core';
import type { RelayClient, RelayEvent } from '@screen-advertising/core/relay';
import { relayPages } from '../../lib/relay/pages';
import { clock } from '../../lib/transport/transport';

/** How far the events of one type have been read. It only ever moves forward. */
export interface Position {
	/** Every poll reads all events from this time on, in milliseconds since 1970. */
	readonly from: number;
	/** Hashes of the IDs that were read from this time on, each with the time of its arrival. */
	readonly seen: Readonly<Record<string, number>>;
}

export interface StoredEvents {
	/** Oldest first. */
	readonly events: readonly RelayEvent[];
	readonly position: Position;
}

/**
 * The least that every poll reads again. The relay dates an event before it commits it, and each of
 * its processes has its own clock, so an event can appear below one that was read before. This is
 * much longer than the 30 s that the relay allows for a commit.
 */
const minOverlapMs = 5 * 60_000;

/** For a clock of the relay that goes back, a page of events is read again, up to this age. */
const maxOverlapMs = 24 * 60 * 60_000;
const pageOfEvents = 200;

/** The most events that start one execution. The next poll continues with the others. */
const maxEvents = 10_000;

/** The most that static data holds of one type: about 600 KB. */
const maxSeen = 20_000;

/** The events of a type that no earlier poll has read. */
export async function eventsSince(
	relay: RelayClient,
	type: string,
	position: Position,
	most = maxEvents,
): Promise<StoredEvents> {
	const from = new Date(position.from).toISOString();
	const events: RelayEvent[] = [];
	for await (const page of relayPages(
		async (cursor) => await relay.listEvents({ type, from, ...cursor }),
	)) {
		const unread = page.filter((event) => !Object.hasOwn(position.seen, keyOf(event)));
		events.unshift(...unread.reverse());
		events.splice(most);
	}
	return { events, position: advance(position, events) };
}

/** The position after every stored event. */
export async function latestPosition(relay: RelayClient, type: string): Promise<Position> {
	const { data } = await relay.listEvents({ type, limit: pageOfEvents });
	const { from } = advance({ from: 0, seen: {} }, data);
	const { position } = await eventsSince(relay, type, { from, seen: {} }, Infinity);
	return position;
}

export async function latestEvent(
	relay: RelayClient,
	type: string,
): Promise<RelayEvent | undefined> {
	const { data } = await relay.listEvents({ type, limit: 1 });
	return data[0];
}

/** When the event arrived at the relay; the last moment of all if that cannot be read. */
export function arrivedAt({ received_at }: RelayEvent): number {
	const time = Date.parse(received_at);
	return Number.isNaN(time) ? 8.64e15 : time;
}

/** The service's own ID, which stays the same when a restored relay stores the event again. */
export function idOf({ id, payload }: RelayEvent): string {
	try {
		return parseEvent(JSON.stringify(payload)).id ?? id;
	} catch {
		// The relay has accepted it, so it is an event, whatever it holds.
		return id;
	}
}

function keyOf(event: RelayEvent): string {
	return createHash('sha256').update(idOf(event)).digest('base64url').slice(0, 16);
}

/**
 * Moves on to the newest event that is not from the future: one that a wrong clock of the relay
 * dated ahead stays among the seen ones until its time comes, and hides none of those after it.
 */
function advance({ from, seen }: Position, events: readonly RelayEvent[]): Position {
	const read = [
		...Object.entries(seen),
		...events.map((event): [string, number] => [keyOf(event), arrivedAt(event)]),
	].sort(([, a], [, b]) => a - b);
	const now = clock.date();
	const times = read.map(([, at]) => at);
	const past = times.filter((at) => at <= now);
	const newest = past.at(-1) ?? 0;
	const overlap = Math.max(newest - maxOverlapMs, past.at(-pageOfEvents) ?? 0);
	const next = Math.max(from, Math.min(newest - minOverlapMs, overlap), times.at(-maxSeen) ?? 0);
	return { from: next, seen: Object.fromEntries(read.filter(([, at]) => at >= next)) };
}
