import type { RelayEvent } from '@screen-advertising/core/relay';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { withRelay } from './withRelay';
import { relayCredential } from '../../lib/relay/relay';
import type { Change, News } from './news';
import {
	arrivedAt,
	eventsSince,
	idOf,
	latestEvent,
	latestPosition,
	type Position,
} from './storedEvents';

interface Remembered {
	readonly source: string;
	/** By event type. */
	readonly positions: Readonly<Record<string, Position>>;
}

/**
 * Events that the relay has stored since the last poll. A newly chosen type starts with the events
 * that arrive from now on.
 */
export async function newsOfRelay(context: IPollFunctions, types: string[]): Promise<News> {
	const staticData = context.getWorkflowStaticData('node');
	const source = String(context.getNode().credentials?.[relayCredential]?.id);
	const before = staticData.relay as Remembered | undefined;
	const known = before?.source === source ? before.positions : {};
	const events: RelayEvent[] = [];
	const positions: Record<string, Position> = {};
	await withRelay(context, async (relay) => {
		for (const type of types) {
			const position = known[type];
			const found = position
				? await eventsSince(relay, type, position)
				: { events: [], position: await latestPosition(relay, type) };
			events.push(...found.events);
			positions[type] = found.position;
		}
	});
	return {
		changes: events.sort((a, b) => arrivedAt(a) - arrivedAt(b)).map(toChange),
		remember() {
			staticData.relay = { source, positions };
		},
	};
}

/** The newest event of the chosen types. */
export async function sampleRelay(context: IPollFunctions, types: string[]): Promise<Change[]> {
	const latest = await withRelay(context, async (relay) =>
		Promise.all(types.map(async (type) => await latestEvent(relay, type))),
	);
	const events = latest.filter((event) => event !== undefined);
	return events.sort((a, b) => arrivedAt(b) - arrivedAt(a)).map(toChange);
}

/** The same shape as from the webhook trigger. */
function toChange(event: RelayEvent): Change {
	return {
		id: idOf(event),
		type: event.type,
		timestamp: event.received_at,
		data: event.data as IDataObject,
	};
}
