import { operations } from '@screen-advertising/core';
import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { clientFor } from '../ScreenAdvertising/shared/client';
import { toNodeError } from '../ScreenAdvertising/shared/errors';
import { type Change, changesSince, remember, type Seen } from './changes';

const operation = operations['campaignRequest.list'];

/** Triggers whose poll is under way in this process: n8n may start the next one before it ends. */
const underWay = new Set<string>();

/**
 * Compares the whole list with what was seen before. The contract shows neither an order nor a
 * time of change, so nothing less tells for sure what is new. What was seen changes only when the
 * list was read to its end: after a failing poll the next one finds the same news.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const events = this.getNodeParameter('events', []) as string[];
	if (this.getMode() === 'manual') return await sample(this, events);
	const trigger = `${this.getWorkflow().id} ${this.getNode().id}`;
	if (underWay.has(trigger)) return null;
	underWay.add(trigger);
	try {
		return toItems(await news(this, events));
	} finally {
		underWay.delete(trigger);
	}
}

async function news(context: IPollFunctions, events: string[]): Promise<Change[]> {
	const staticData = context.getWorkflowStaticData('node');
	const records = await read(context);
	const source = sourceOf(context);
	const isKnown = staticData.source === source;
	const seen = isKnown ? (staticData.seen as Seen) : {};
	staticData.source = source;
	staticData.seen = remember(seen, records);
	if (!isKnown) return [];
	return changesSince(seen, records).filter(({ type }) => events.includes(type));
}

/** While a workflow is built, one record shows what will come. Nothing is remembered of it. */
async function sample(context: IPollFunctions, events: string[]): Promise<INodeExecutionData[][]> {
	const changes = changesSince({}, await read(context));
	const [first] = changes.filter(({ type }) => events.includes(type));
	const items = toItems(first ? [first] : []);
	if (items) return items;
	throw new NodeOperationError(
		context.getNode(),
		'There is no campaign request yet that matches Trigger On and Filters',
		{ description: 'Choose more events, remove the filter, or wait for a campaign request.' },
	);
}

async function read(context: IPollFunctions): Promise<IDataObject[]> {
	try {
		const client = await clientFor(context, context.getNodeParameter('authentication') as string);
		const records: IDataObject[] = [];
		for await (const record of client.items(operation, filtersOf(context))) {
			records.push(record as IDataObject);
		}
		return records;
	} catch (error) {
		throw toNodeError(error, { node: context.getNode(), operation });
	}
}

function filtersOf(context: IPollFunctions): { industry?: string } {
	const { industry } = context.getNodeParameter('filters', {}) as { industry?: string };
	return industry ? { industry } : {};
}

/** Another credential or filter shows another list: everything in it would look new. */
function sourceOf(context: IPollFunctions): string {
	const { credentials } = context.getNode();
	const authentication = context.getNodeParameter('authentication') as string;
	const ids = Object.values(credentials ?? {}).map(({ id }) => id);
	return JSON.stringify([authentication, ids, filtersOf(context)]);
}

function toItems(changes: Change[]): INodeExecutionData[][] | null {
	return changes.length > 0 ? [changes.map(({ type, data }) => ({ json: { type, data } }))] : null;
}
