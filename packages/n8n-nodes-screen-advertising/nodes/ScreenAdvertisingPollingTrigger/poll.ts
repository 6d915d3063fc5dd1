import { withAmounts } from '@screen-advertising/core/forms';
import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { pollCampaignRequests, sampleCampaignRequests } from './campaignRequests';
import { isOfScreens, relayEvents } from './events';
import type { Change, PollResult } from './pollResult';
import { pollRelay, newestEvents } from './relayEvents';
import { pollScreens, sampleScreens } from './screenAvailability';

/**
 * Triggers with a running poll in this process: n8n may start the next poll before that one ends.
 */
const inFlight = new Set<string>();

/**
 * Compares the current state with the last poll. The stored state changes only after everything was
 * read to its end, so the poll after a failed one finds the same changes.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const chosen = isOfRelay(this) ? relayEvents : 'events';
	const events = this.getNodeParameter(chosen, []) as string[];
	if (this.getMode() === 'manual') return await sample(this, events);
	const trigger = `${this.getWorkflow().id} ${this.getNode().id}`;
	if (inFlight.has(trigger)) return null;
	inFlight.add(trigger);
	try {
		const results = await pollAll(this, events);
		for (const { save } of results) save();
		const changes = results.flatMap((result) => result.changes);
		return toItems(changes.filter(({ type }) => events.includes(type)));
	} finally {
		inFlight.delete(trigger);
	}
}

/** Requests only what the user chose. */
async function pollAll(context: IPollFunctions, events: string[]): Promise<PollResult[]> {
	if (isOfRelay(context)) return [await pollRelay(context, events)];
	const results: PollResult[] = [];
	if (!events.every(isOfScreens)) results.push(await pollCampaignRequests(context));
	if (events.some(isOfScreens)) results.push(await pollScreens(context, events));
	return results;
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

async function sampleService(context: IPollFunctions, events: string[]): Promise<Change[]> {
	const requests = events.every(isOfScreens) ? [] : await sampleCampaignRequests(context);
	const screens = events.some(isOfScreens) ? await sampleScreens(context, events) : [];
	return [...requests, ...screens];
}

function noSampleError(context: IPollFunctions, events: string[]): NodeOperationError {
	if (isOfRelay(context)) {
		return new NodeOperationError(
			context.getNode(),
			'The relay has received none of the chosen events yet',
			{ description: 'Choose more events, or test again once one of them has happened.' },
		);
	}
	const what = events.every(isOfScreens) ? 'screen' : 'campaign request';
	return new NodeOperationError(
		context.getNode(),
		`There is no ${what} yet that matches 'Trigger On' and the filters`,
		{ description: `Choose more events, remove the filter, or wait for a ${what}.` },
	);
}

const isOfRelay = (context: IPollFunctions): boolean =>
	context.getNodeParameter('authentication', 'apiKey') === 'relay';

function toItems(changes: Change[]): INodeExecutionData[][] | null {
	const items = changes.map(({ data, ...change }) => ({
		json: { ...change, data: withAmounts(data) },
	}));
	return items.length > 0 ? [items] : null;
}
