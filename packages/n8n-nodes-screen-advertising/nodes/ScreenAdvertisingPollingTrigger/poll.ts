import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { newsOfCampaignRequests, sampleCampaignRequests } from './campaignRequests';
import { isOfScreens } from './events';
import type { Change, News } from './news';
import { newsOfScreens, sampleScreens } from './screenAvailability';

/** Triggers whose poll is under way in this process: n8n may start the next one before it ends. */
const underWay = new Set<string>();

/**
 * Compares what is there with what was seen before. What was seen changes only when everything was
 * read to its end: after a failing poll the next one finds the same news.
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

/** Only what was chosen is asked for. */
async function news(context: IPollFunctions, events: string[]): Promise<News[]> {
	const kinds: News[] = [];
	if (!events.every(isOfScreens)) kinds.push(await newsOfCampaignRequests(context));
	if (events.some(isOfScreens)) kinds.push(await newsOfScreens(context, events));
	return kinds;
}

/** While a workflow is built, one record shows what will come. Nothing is remembered of it. */
async function sample(context: IPollFunctions, events: string[]): Promise<INodeExecutionData[][]> {
	const requests = events.every(isOfScreens) ? [] : await sampleCampaignRequests(context);
	const screens = events.some(isOfScreens) ? await sampleScreens(context, events) : [];
	const [first] = [...requests, ...screens].filter(({ type }) => events.includes(type));
	const items = toItems(first ? [first] : []);
	if (items) return items;
	const what = events.every(isOfScreens) ? 'screen' : 'campaign request';
	throw new NodeOperationError(
		context.getNode(),
		`There is no ${what} yet that matches Events and Filters`,
		{ description: `Choose more events, remove the filter, or wait for a ${what}.` },
	);
}

function toItems(changes: Change[]): INodeExecutionData[][] | null {
	return changes.length > 0 ? [changes.map(({ type, data }) => ({ json: { type, data } }))] : null;
}
