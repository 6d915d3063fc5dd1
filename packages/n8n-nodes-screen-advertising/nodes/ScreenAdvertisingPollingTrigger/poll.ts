import { withAmounts } from '@screen-advertising/core/forms';
import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { runWithinBudget } from './budget';
import { pollCampaignRequests, sampleCampaignRequests } from './campaignRequests';
import { crossingEvents, listedEvent, relayEventsParameter } from './events';
import { pollNewScreens, sampleNewScreens } from './newScreens';
import type { PolledEvent, PollResult } from './pollResult';
import { pollRelay, newestEvents } from './relayEvents';
import { pollAvailability, sampleAvailability } from './screenAvailability';

/** Events that are found with the same requests. */
interface Kind {
	/** Its record, in the error of a test that finds none. */
	readonly what: string;
	includes(event: string): boolean;
	poll(context: IPollFunctions, events: string[], end: AbortSignal): Promise<PollResult>;
	sample(context: IPollFunctions, events: string[]): Promise<PolledEvent[]>;
}

const requests: Kind = {
	what: 'campaign request',
	includes: (event) => event.startsWith('campaign_request.'),
	poll: pollCampaignRequests,
	sample: sampleCampaignRequests,
};

const kinds: readonly Kind[] = [
	requests,
	{
		what: 'screen',
		includes: (event) => event === listedEvent,
		poll: pollNewScreens,
		sample: sampleNewScreens,
	},
	{
		what: 'screen',
		includes: (event) => crossingEvents.includes(event),
		poll: pollAvailability,
		sample: sampleAvailability,
	},
];

/**
 * Triggers with a running poll in this process: n8n may start the next poll before that one ends.
 */
const inFlight = new Set<string>();

/**
 * Compares the current state with the last poll. The stored state changes only after everything was
 * read to its end, so the poll after a failed one finds the same changes.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const chosen = isOfRelay(this) ? relayEventsParameter : 'events';
	const events = this.getNodeParameter(chosen, []) as string[];
	if (this.getMode() === 'manual') return await sample(this, events);
	const trigger = `${this.getWorkflow().id} ${this.getNode().id}`;
	if (inFlight.has(trigger)) return null;
	inFlight.add(trigger);
	try {
		const results = isOfRelay(this)
			? [await pollRelay(this, events)]
			: await runWithinBudget(this, partsOf(this, events));
		for (const result of results) result?.save();
		const changes = results.flatMap((result) => result?.changes ?? []);
		const items = toItems(changes.filter(({ type }) => events.includes(type)));
		// With durable poll cursors, n8n itself does not store those of the poll at publishing.
		if (!items) await this.__commitCursor?.();
		return items;
	} finally {
		inFlight.delete(trigger);
	}
}

/** Requests only what the user chose. */
function partsOf(context: IPollFunctions, events: string[]) {
	return chosenKinds(events).map(
		({ poll }) =>
			(end: AbortSignal) =>
				poll(context, events, end),
	);
}

function chosenKinds(events: string[]): readonly Kind[] {
	return kinds.filter((kind) => events.some((event) => kind.includes(event)));
}

/** In the editor, one record shows what to expect. Nothing is stored. */
async function sample(context: IPollFunctions, events: string[]): Promise<INodeExecutionData[][]> {
	const samples = isOfRelay(context)
		? await newestEvents(context, events)
		: await sampleService(context, events);
	const [first] = samples.filter(({ type }) => events.includes(type));
	const items = toItems(first ? [first] : []);
	if (items) return items;
	throw noSampleError(context, events);
}

async function sampleService(context: IPollFunctions, events: string[]): Promise<PolledEvent[]> {
	const samples: PolledEvent[] = [];
	for (const kind of chosenKinds(events)) samples.push(...(await kind.sample(context, events)));
	return samples;
}

function noSampleError(context: IPollFunctions, events: string[]): NodeOperationError {
	if (isOfRelay(context)) {
		return new NodeOperationError(
			context.getNode(),
			'The relay has received none of the chosen events yet',
			{ description: 'Choose more events, or test again once one of them has happened.' },
		);
	}
	const [{ what } = requests] = chosenKinds(events);
	return new NodeOperationError(
		context.getNode(),
		`There is no ${what} yet that matches 'Trigger On' and the filters`,
		{ description: `Choose more events, remove the filter, or wait for a ${what}.` },
	);
}

const isOfRelay = (context: IPollFunctions): boolean =>
	context.getNodeParameter('authentication', 'apiKey') === 'relay';

function toItems(changes: PolledEvent[]): INodeExecutionData[][] | null {
	const items = changes.map(({ data, ...change }) => ({
		json: { ...change, data: withAmounts(data) },
	}));
	return items.length > 0 ? [items] : null;
}
