import { createHash } from 'node:crypto';
import {
	ConfigurationError,
	type Page,
	parseEvent,
	ProblemError,
	ResponseError,
	ScreenAdvertisingError,
} from '@screen-advertising/core';
import { nextCursor, joinSentences } from '@screen-advertising/core/platform';
import type { RelayClient, RelayEvent } from '@screen-advertising/core/relay';
import { type IDataObject, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { localhostInContainerHint } from '../../lib/errorMessages';
import { eventTime } from '../../lib/eventProperties';
import { toNodeError } from '../../lib/nodeErrors';
import { relayCredentialType, relayClientOfNode } from '../../lib/relay';
import { type PolledChange, type PolledEventKind, readPages, type RecoveredChanges } from './kind';
import { maxPageSize, type ChangeWithoutRun } from './lastPoll';

interface State {
	/** ID of the credential. */
	readonly source: string;
	readonly position: Position;
}

/**
 * Events of a type that the relay has stored since the last poll. A newly chosen type starts with
 * the events that arrive from now on.
 */
export const relayEventKind = (type: string): PolledEventKind => ({
	key: `relay ${type}`,
	what: 'event',
	async poll(context, { before: stored, onlyNotes, end }) {
		const source = String(context.getNode().credentials?.[relayCredentialType]?.id);
		const before = stored as State | undefined;
		const known = before?.source === source ? before.position : undefined;
		return await withRelay(context, async (relay) => {
			const { events, position, isMissing } = await read(relay, known);
			const state: State = { source, position };
			return {
				changes: events.map(toChange),
				state,
				isFirst: known === undefined,
				...(isMissing && { missing: type }),
				...(known && { again: { from: known, to: orderOf({ position: position.after }) } }),
			};
		});

		async function read(
			relay: RelayClient,
			from: Position | undefined,
		): Promise<StoredEvents & { readonly isMissing?: boolean }> {
			if (!from) return await latestPosition(relay, type, end);
			const since = async (): Promise<StoredEvents> => {
				if (!onlyNotes) return await eventsSince(relay, type, from, end);
				// Only counted: a page of them is enough.
				const page = { type, after: from.after, limit: maxPageSize };
				const { data } = await relay.listEvents(page, { signal: end });
				return { ...(await latestPosition(relay, type, end)), events: data };
			};
			return await since().catch(async (error: unknown) => {
				if (!isGone(error)) throw error;
				const resumed = resumedAt(error, from) ?? (await latestPosition(relay, type, end));
				return { ...resumed, isMissing: true };
			});
		}
	},
	async recover(context, left, end) {
		return await withRelay(context, async (relay) => await readAgain(relay, type, left, end));
	},
	async sample(context) {
		const latest = await withRelay(context, async (relay) => latestEvent(relay, type));
		return latest ? [toChange(latest)] : [];
	},
});

export function missedEvents(
	context: IPollFunctions,
	types: readonly string[],
): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`Events may be missing: the relay no longer has everything since the last poll (${types.join(', ')})`,
		{
			description:
				'It deletes events after 30 days by default, and a restored backup lacks the newest ones. The trigger continues with the others.',
		},
	);
}

/** Gives an event the shape that it has from the webhook trigger. */
function toChange(event: RelayEvent): PolledChange {
	return {
		event: {
			id: idOf(event),
			type: event.type,
			timestamp: eventTime(event.payload) ?? event.received_at,
			data: event.data as IDataObject,
		},
		order: orderOf(event),
	};
}

/** Turns any failure on the way to the relay into an error that n8n shows. */
async function withRelay<Result>(
	context: IPollFunctions,
	work: (relay: RelayClient) => Promise<Result>,
): Promise<Result> {
	try {
		return await work(await relayClientOfNode(context));
	} catch (error) {
		const isOfRelay =
			ScreenAdvertisingError.isInstance(error) && !(error instanceof ConfigurationError);
		throw toNodeError(error, {
			node: context.getNode(),
			...(isOfRelay && { shown: toMessage(error) }),
		});
	}
}

function toMessage({ summary, said, remedy }: ScreenAdvertisingError) {
	const description = `${joinSentences([said, remedy])}${localhostInContainerHint(summary)}`;
	return { message: summary, description };
}

/** How far the events of one type have been read, in the order in which the relay stored them. */
interface Position {
	/** The relay's position: every poll reads the events after it. */
	readonly after: string;
	/** Hashes and positions, if any, of the events that were read last, the newest at the end. */
	readonly seen: readonly (readonly [hash: string, position: string])[];
}

interface StoredEvents {
	/** Ordered as the relay stored them. */
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
 * The events of a type that no earlier poll has read, up to the end of this one's time. Rejects with
 * a ProblemError when the relay no longer has all of them; `resumedAt` says where to continue.
 */
async function eventsSince(
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
	const pages = pagesOf(
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

/** Reads a list of the relay page by page. */
async function* pagesOf<Result extends Page<unknown>>(
	read: (page: { limit: number; cursor?: string }) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
	let page = await read({ limit: maxPageSize });
	yield page;
	for (let cursor = nextCursor(page.pagination); cursor; cursor = nextCursor(page.pagination)) {
		page = await read({ limit: maxPageSize, cursor });
		yield page;
	}
}

/** Events that started nothing. */
interface Range {
	readonly from: Position;
	/** The place of the last one among all events of the relay. */
	readonly to: number;
}

/**
 * Reads events that started nothing, until the poll has no more time or enough events. The next one
 * continues.
 */
async function readAgain(
	relay: RelayClient,
	type: string,
	left: readonly ChangeWithoutRun[],
	end: AbortSignal,
): Promise<RecoveredChanges> {
	const changes: PolledChange[] = [];
	const rest: ChangeWithoutRun[] = [];
	let gone: Pick<RecoveredChanges, 'missing'> = {};
	for (const { at, what } of left) {
		const { from, to } = what as Range;
		if (end.aborted || changes.length >= maxEvents) {
			rest.push({ at, what });
			continue;
		}
		const { events, position } = await readFrom(relay, type, from, end).catch((error: unknown) => {
			if (!isGone(error)) throw error;
			gone = { missing: type };
			const resumed = resumedAt(error, from);
			return resumed
				? readFrom(relay, type, resumed.position, end)
				: latestPosition(relay, type, end);
		});
		for (const event of events) if (orderOf(event) <= to) changes.push(toChange(event));
		const isWhole = !end.aborted && events.length < maxEvents;
		const isRead = isWhole || orderOf({ position: position.after }) >= to;
		if (!isRead) rest.push({ at, what: { from: position, to } });
	}
	return { changes, rest, ...gone };
}

/** The position after every stored event. */
async function latestPosition(
	relay: RelayClient,
	type: string,
	end: AbortSignal,
): Promise<StoredEvents> {
	const { pagination } = await relay.listEvents({ type, after: 'newest' }, { signal: end });
	return { events: [], position: { after: checked(pagination.position), seen: [] } };
}

async function latestEvent(relay: RelayClient, type: string): Promise<RelayEvent | undefined> {
	const { data } = await relay.listEvents({ type, limit: 1 });
	return data[0];
}

/** Whether the relay no longer has every event after a position. */
function isGone(error: unknown): error is ProblemError {
	return ProblemError.isInstance(error) && error.status === 410;
}

/** Where the relay says to continue; undefined to start with the events that arrive from now on. */
function resumedAt({ problem }: ProblemError, { seen }: Position): StoredEvents | undefined {
	const after = problem?.position;
	return isPosition(after) ? { events: [], position: { after, seen } } : undefined;
}

/** The place of an event among all events of the relay. */
function orderOf({ position = '' }: Pick<RelayEvent, 'position'>): number {
	return Number.parseInt(position, 10) || 0;
}

/** The service's own ID, which stays the same when a restored relay stores the event again. */
function idOf({ id, payload }: RelayEvent): string {
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
