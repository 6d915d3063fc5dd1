import { createHash } from 'node:crypto';
import {
	ConfigurationError,
	parseEvent,
	ProblemError,
	ResponseError,
	ScreenAdvertisingError,
} from '@screen-advertising/core';
import { sentences } from '@screen-advertising/core/platform';
import type { RelayClient, RelayEvent } from '@screen-advertising/core/relay';
import { type IDataObject, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { toNodeError } from '../../lib/errors/nodeErrors';
import { containerHint } from '../../lib/errors/sentences';
import { eventTime } from '../../lib/events';
import { relayCredential, relayFor, relayPages } from '../../lib/relay';
import type { Change, PollResult } from './pollResult';

/** How far the events have been read, in the order in which the relay stored them. */
interface Position {
	/** The relay's position: every poll reads the events after it. */
	readonly after: string;
	/** Hashes and positions of the events that were read last, the newest at the end. */
	readonly seen: readonly (readonly [hash: string, position: string])[];
}

interface State extends Position {
	readonly source: string;
}

/** The most events that start one execution. The next poll continues with the others. */
const maxEvents = 10_000;

/**
 * A relay that was restored from a backup stores the newest events again. So many of them start
 * nothing a second time.
 */
const maxSeen = 200;

/** Longer than any position of the relay. */
const maxPosition = 60;

/**
 * Events of the chosen types that the relay has stored since the last poll. The first poll only
 * notes where the relay is.
 */
export async function pollRelay(context: IPollFunctions, types: string[]): Promise<PollResult> {
	const staticData = context.getWorkflowStaticData('node');
	const source = String(context.getNode().credentials?.[relayCredential]?.id);
	const before = staticData.relay as State | undefined;
	const store = (position: Position | undefined) => {
		staticData.relay = position && { source, ...position };
	};
	const { events, position } = await withRelay(context, async (relay) => {
		if (before?.source !== source) {
			const { pagination } = await relay.listEvents({ after: 'newest', limit: 1 });
			return { events: [], position: { after: checked(pagination.position), seen: [] } };
		}
		return await eventsSince(relay, types, before).catch((error: unknown) => {
			if (!isGone(error)) throw error;
			// The next poll continues where the relay says, or with the events from now on.
			const after = error.problem?.position;
			store(isPosition(after) ? { after, seen: before.seen } : undefined);
			throw missedEvents(context);
		});
	});
	return { changes: events.map(toChange), save: () => store(position) };
}

/** The newest event of the chosen types. */
export async function newestEvents(context: IPollFunctions, types: string[]): Promise<Change[]> {
	const pages = await withRelay(context, async (relay) =>
		Promise.all(types.map(async (type) => await relay.listEvents({ type, limit: 1 }))),
	);
	const events = pages.flatMap(({ data }) => data);
	return events.sort((a, b) => b.received_at.localeCompare(a.received_at)).map(toChange);
}

/** The events that no earlier poll has read. Rejects with 410 if the relay lacks some of them. */
async function eventsSince(relay: RelayClient, types: string[], { after, seen }: Position) {
	return await readFrom(relay, types, { after, seen }).catch(async (error: unknown) => {
		// A restored backup lacks the newest events, but may have an earlier one.
		const [, earlier] = seen.find(([, position]) => position !== '') ?? [];
		if (!isGone(error) || earlier === undefined || earlier === after) throw error;
		return await readFrom(relay, types, { after: earlier, seen });
	});
}

async function readFrom(relay: RelayClient, types: string[], { after, seen }: Position) {
	const known = new Set(seen.map(([hash]) => hash));
	const [type, ...others] = types;
	// The relay then need not have the events of other types any more.
	const only = type !== undefined && others.length === 0 && { type };
	const events: RelayEvent[] = [];
	let latest = seen;
	let reached = after;
	for await (const { data, pagination } of relayPages(
		async (page) => await relay.listEvents({ after, ...only, ...page }),
	)) {
		const read = data.filter((event) => !known.has(hashOf(event)));
		events.push(...read.filter(({ type }) => types.includes(type)));
		latest = [...latest, ...read.map(seenEvent)].slice(-maxSeen);
		reached = checked(pagination.position);
		if (events.length >= maxEvents) break;
	}
	return { events, position: { after: reached, seen: latest } };
}

function seenEvent(event: RelayEvent) {
	const { position } = event;
	return [hashOf(event), isPosition(position) ? position : ''] as const;
}

/** Whether the relay no longer has every event after a position. */
function isGone(error: unknown): error is ProblemError {
	return ProblemError.isInstance(error) && error.status === 410;
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

/** The same shape as from the webhook trigger. */
function toChange(event: RelayEvent): Change {
	return {
		id: idOf(event),
		type: event.type,
		timestamp: eventTime(event.payload) ?? event.received_at,
		data: event.data as IDataObject,
	};
}

function missedEvents(context: IPollFunctions): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		'Events may be missing: the relay no longer has everything since the last poll',
		{
			description:
				'It deletes events after 30 days by default, and a restored backup lacks the newest ones. The next poll continues with the rest.',
		},
	);
}

/** Turns any failure on the way to the relay into an error that n8n shows. */
async function withRelay<Result>(
	context: IPollFunctions,
	work: (relay: RelayClient) => Promise<Result>,
): Promise<Result> {
	try {
		return await work(await relayFor(context));
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
	const description = `${sentences([said, remedy])}${containerHint(summary)}`;
	return { message: summary, description };
}
