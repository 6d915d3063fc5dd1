import { ConfigurationError, ScreenAdvertisingError } from '@screen-advertising/core';
import { sentences } from '@screen-advertising/core/platform';
import type { RelayClient, RelayEvent } from '@screen-advertising/core/relay';
import { type IDataObject, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { containerHint } from '../../lib/errors/sentences';
import { toNodeError } from '../../lib/errors/nodeErrors';
import { eventTime } from '../../lib/eventProperties';
import { relayCredential, relayFor } from '../../lib/relay';
import { runWithinBudget } from './budget';
import type { PolledEvent, PollResult } from './pollResult';
import {
	eventsSince,
	idOf,
	isGone,
	latestEvent,
	latestPosition,
	orderOf,
	type Position,
	resumedAt,
	type StoredEvents,
} from './storedEvents';

interface State {
	readonly source: string;
	/** By event type. */
	readonly positions: Readonly<Record<string, Position | undefined>>;
}

/**
 * Events that the relay has stored since the last poll. A newly chosen type starts with the events
 * that arrive from now on.
 */
export async function pollRelay(context: IPollFunctions, types: string[]): Promise<PollResult> {
	const staticData = context.getWorkflowStaticData('node');
	const source = String(context.getNode().credentials?.[relayCredential]?.id);
	const before = staticData.relay as State | undefined;
	const known = before?.source === source ? before.positions : {};
	const events: RelayEvent[] = [];
	const positions: Record<string, Position | undefined> = {};
	const missed: string[] = [];
	await withRelay(context, async (relay) => {
		const read = async (type: string, end: AbortSignal): Promise<StoredEvents> => {
			const position = known[type];
			if (!position) return await latestPosition(relay, type, end);
			return await eventsSince(relay, type, position, end).catch(async (error: unknown) => {
				if (!isGone(error)) throw error;
				missed.push(type);
				const resumed = resumedAt(error, position);
				return resumed ?? (await latestPosition(relay, type, end));
			});
		};
		const parts = types.map((type) => (end: AbortSignal) => read(type, end));
		const results = await runWithinBudget(context, parts);
		for (const [nth, type] of types.entries()) {
			events.push(...(results[nth]?.events ?? []));
			positions[type] = results[nth]?.position ?? known[type];
		}
	});
	// Not thrown: n8n would store nothing, and the next poll would find the same.
	if (missed.length > 0) context.__emitError(missedEvents(context, missed));
	return {
		changes: events.sort((a, b) => orderOf(a) - orderOf(b)).map(toPolledEvent),
		save() {
			staticData.relay = { source, positions };
		},
	};
}

/** The newest event of the chosen types. */
export async function newestEvents(
	context: IPollFunctions,
	types: string[],
): Promise<PolledEvent[]> {
	const latest = await withRelay(context, async (relay) =>
		Promise.all(types.map(async (type) => await latestEvent(relay, type))),
	);
	const events = latest.filter((event) => event !== undefined);
	return events.sort((a, b) => orderOf(b) - orderOf(a)).map(toPolledEvent);
}

function missedEvents(context: IPollFunctions, types: readonly string[]): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`Events may be missing: the relay no longer has everything since the last poll (${types.join(', ')})`,
		{
			description:
				'It deletes events after 30 days by default, and a restored backup lacks the newest ones. The trigger continues with the others.',
		},
	);
}

/** The same shape as from the webhook trigger. */
function toPolledEvent(event: RelayEvent): PolledEvent {
	return {
		id: idOf(event),
		type: event.type,
		timestamp: eventTime(event.payload) ?? event.received_at,
		data: event.data as IDataObject,
	};
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
