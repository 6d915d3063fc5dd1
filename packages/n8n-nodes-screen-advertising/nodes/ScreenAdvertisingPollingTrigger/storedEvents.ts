import { createHash } from 'node:crypto';
import { ProblemError, parseEvent, ResponseError } from '@screen-advertising/core';
import type { RelayClient, RelayEvent } from '@screen-advertising/core/relay';
import { relayPages } from '../../lib/relay';
import { readPages } from './budget';

/** How far the events of one type have been read, in the order in which the relay stored them. */
export interface Position {
	/** The relay's position: every poll reads the events after it. */
	readonly after: string;
	/** Hashes and positions, if any, of the events that were read last, the newest at the end. */
	readonly seen: readonly (readonly [hash: string, position: string])[];
}

export interface StoredEvents {
	/** In the order in which the relay stored them. */
	readonly events: readonly RelayEvent[];
	readonly position: Position;
}

/** The most events of a type that start one execution. The next poll continues with the others. */
const maxEvents = 10_000;

/**
 * A relay that was restored from a backup stores the newest events again. So many of them start
 * nothing a second time.
 */
const maxSeen = 200;

/** Longer than any position of the relay. */
const maxPosition = 60;

/**
 * The events of a type that no earlier poll has read, up to the end of this one's time. Rejects with a ProblemError when the relay no
 * longer has all of them; `resumedAt` says where to continue.
 */
export async function eventsSince(
	relay: RelayClient,
	type: string,
	{ after, seen }: Position,
	end: AbortSignal,
): Promise<StoredEvents> {
	return await readFrom(relay, type, { after, seen }, end).catch(async (error: unknown) => {
		// A restored backup lacks the newest events, but may have an earlier one.
		const [, earlier] = seen.find(([, position]) => position !== '') ?? [];
		if (!isGone(error) || earlier === undefined || earlier === after) throw error;
		return await readFrom(relay, type, { after: earlier, seen }, end);
	});
}

async function readFrom(
	relay: RelayClient,
	type: string,
	{ after, seen }: Position,
	end: AbortSignal,
): Promise<StoredEvents> {
	const known = new Set(seen.map(([hash]) => hash));
	const events: RelayEvent[] = [];
	let reached = after;
	const pages = relayPages(
		async (page) => await relay.listEvents({ type, after, ...page }, { signal: end }),
	);
	await readPages(pages, end, ({ data, pagination }) => {
		events.push(...data.filter((event) => !known.has(hashOf(event))));
		reached = checked(pagination.position);
		return events.length < maxEvents;
	});
	const read = events.map((event) => {
		const { position } = event;
		return [hashOf(event), isPosition(position) ? position : ''] as const;
	});
	return { events, position: { after: reached, seen: [...seen, ...read].slice(-maxSeen) } };
}

/** The position after every stored event. */
export async function latestPosition(
	relay: RelayClient,
	type: string,
	end: AbortSignal,
): Promise<StoredEvents> {
	const { pagination } = await relay.listEvents({ type, after: 'newest' }, { signal: end });
	return { events: [], position: { after: checked(pagination.position), seen: [] } };
}

export async function latestEvent(
	relay: RelayClient,
	type: string,
): Promise<RelayEvent | undefined> {
	const { data } = await relay.listEvents({ type, limit: 1 });
	return data[0];
}

/** Whether the relay no longer has every event after a position. */
export function isGone(error: unknown): error is ProblemError {
	return ProblemError.isInstance(error) && error.status === 410;
}

/** Where the relay says to continue; undefined to start with the events that arrive from now on. */
export function resumedAt({ problem }: ProblemError, { seen }: Position): StoredEvents | undefined {
	const after = problem?.position;
	return isPosition(after) ? { events: [], position: { after, seen } } : undefined;
}

/** The place of an event among all events of the relay. */
export function orderOf({ position = '' }: RelayEvent): number {
	return Number.parseInt(position, 10) || 0;
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

function hashOf(event: RelayEvent): string {
	return createHash('sha256').update(idOf(event)).digest('base64url').slice(0, 16);
}

function isPosition(value: unknown): value is string {
	return typeof value === 'string' && value !== '' && value.length <= maxPosition;
}

function checked(position: unknown): string {
	if (isPosition(position)) return position;
	throw new ResponseError('The relay does not say where to continue reading its events', {
		remedy: 'Check that the base URL leads to the relay, and ask its operator to update it.',
		status: 200,
	});
}
