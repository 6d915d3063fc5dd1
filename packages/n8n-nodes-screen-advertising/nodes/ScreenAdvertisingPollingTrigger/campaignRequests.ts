import { operations } from '@screen-advertising/core';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { type Change, type PollResult, sourceOf, withClient } from './pollResult';
import { createHash } from 'node:crypto';
import { recordId } from '@screen-advertising/core/platform';
import { chosenValue } from '../../lib/knownValues';
import { createdEvent, statusEvent } from './events';

const operation = operations['campaignRequest.list'];

/**
 * Compares the whole list with the last poll. The contract shows neither an order nor a time of
 * change, so only the whole list shows for sure what is new.
 */
export async function pollCampaignRequests(context: IPollFunctions): Promise<PollResult> {
	const staticData = context.getWorkflowStaticData('node');
	const records = await read(context);
	const source = sourceOf(context, filtersOf(context));
	const isKnown = staticData.source === source;
	const seen = isKnown ? (staticData.seen as KnownStatuses) : {};
	return {
		changes: isKnown ? changesSince(seen, records) : [],
		save() {
			staticData.source = source;
			staticData.seen = remember(seen, records);
		},
	};
}

/** The items that the existing campaign requests would have started the workflow with. */
export async function sampleCampaignRequests(context: IPollFunctions): Promise<Change[]> {
	return changesSince({}, await read(context));
}

async function read(context: IPollFunctions): Promise<IDataObject[]> {
	return await withClient(context, operation, async (client) => {
		const records: IDataObject[] = [];
		for await (const record of client.items(operation, filtersOf(context))) {
			records.push(record as IDataObject);
		}
		return records;
	});
}

function filtersOf(context: IPollFunctions): { industry?: string } {
	const { industry } = context.getNodeParameter('filters', {}) as { industry?: unknown };
	const wanted = String(chosenValue(industry) ?? '').trim();
	return wanted ? { industry: wanted } : {};
}

/** The last known status of each campaign request, by its ID. */
type KnownStatuses = Record<string, string>;

/** Above this, campaign requests that the service no longer lists are forgotten. */
const maxRemembered = 20_000;

/** Changes to the campaign requests since `seen`, in the order of the list. */
function changesSince(seen: KnownStatuses, records: readonly IDataObject[]): Change[] {
	const known = new Map(Object.entries(seen));
	return records.flatMap((record) => {
		const key = keyOf(record);
		const before = known.get(key);
		const status = statusOf(record);
		known.set(key, status);
		return [
			...(before === undefined ? [{ type: createdEvent, data: record }] : []),
			...(status !== '' && status !== before ? [{ type: statusEvent(status), data: record }] : []),
		];
	});
}

/**
 * Keeps requests missing from the list: they may be back in the next one, and must not count as new
 * then.
 */
function remember(seen: KnownStatuses, records: readonly IDataObject[]): KnownStatuses {
	const current = Object.fromEntries(records.map((record) => [keyOf(record), statusOf(record)]));
	const all = { ...seen, ...current };
	return Object.keys(all).length > maxRemembered ? current : all;
}

/** The contract does not rule out records without an ID; those are recognized by their content. */
function keyOf(record: IDataObject): string {
	const id = recordId(record);
	if (id !== undefined) return id;
	return `#${createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16)}`;
}

function statusOf({ status }: IDataObject): string {
	return typeof status === 'string' ? status : '';
}
