import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { newsOfCampaignRequests, sampleCampaignRequests } from './campaignRequests';
import { isOfScreens } from './events';
import type { Change, News } from './news';
import { newsOfRelay, sampleRelay } from './relayEvents';
import { newsOfScreens, sampleScreens } from './screenAvailability';

/**
 * Triggers with a running poll in this process: n8n may start the next poll before that one ends.
 */
const underWay = new Set<string>();

/**
 * Compares the current state with the last poll. The stored state changes only after everything was
 * read to its end, so the poll after a failed one finds the same changes.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const events = this.getNodeParameter('events', []) as string[];
	if (this.getMode() === 'manual') return await sample(this, events);
	const trigger = `${this.getWorkflow().id} ${this.getNode().id}`;
	if (underWay.has(trigger)) return null;
	underWay.add(trigger);
	try {
		const kinds = await news(this, events);
		for (const { remember } of kinds) remember();
		const changes = kinds.flatMap((kind) => kind.changes);
		return toItems(changes.filter(({ type }) => events.includes(type)));
	} finally {
		underWay.delete(trigger);
	}
}

/** Requests only what the user chose. */
async function news(context: IPollFunctions, events: string[]): Promise<News[]> {
	if (isOfRelay(context)) return [await newsOfRelay(context, events)];
	const kinds: News[] = [];
	if (!events.every(isOfScreens)) kinds.push(await newsOfCampaignRequests(context));
	if (events.some(isOfScreens)) kinds.push(await newsOfScreens(context, events));
	return kinds;
}

/** In the editor, one record shows what to expect. Nothing is stored. */
async function sample(context: IPollFunctions, events: string[]): Promise<INodeExecutionData[][]> {
	const samples = isOfRelay(context)
		? await sampleRelay(context, events)
		: await sampleService(context, events);
	const [first] = samples.filter(({ type }) => events.includes(type));
	const items = toItems(first ? [first] : []);
	if (items) return items;
	throw nothingYet(context, events);
}

async function sampleService(context: IPollFunctions, events: string[]): Promise<Change[]> {
	const requests = events.every(isOfScreens) ? [] : await sampleCampaignRequests(context);
	const screens = events.some(isOfScreens) ? await sampleScreens(context, events) : [];
	return [...requests, ...screens];
}

function nothingYet(context: IPollFunctions, events: string[]): NodeOperationError {
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
		`There is no ${what} yet that matches Events and Filters`,
		{ description: `Choose more events, remove the filter, or wait for a ${what}.` },
	);
}

const isOfRelay = (context: IPollFunctions): boolean =>
	context.getNodeParameter('authentication', 'apiKey') === 'relay';

function toItems(changes: Change[]): INodeExecutionData[][] | null {
	return changes.length > 0 ? [changes.map((json) => ({ json }))] : null;
}
