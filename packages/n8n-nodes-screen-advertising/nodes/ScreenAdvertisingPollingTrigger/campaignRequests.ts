import { operations } from '@screen-advertising/core';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { changesSince, remember, type KnownStatuses } from './changes';
import { type Change, type PollResult, sourceOf, withClient } from './pollResult';

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
	const { industry } = context.getNodeParameter('filters', {}) as { industry?: string };
	return industry ? { industry } : {};
}
