import { operations } from '@screen-advertising/core';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { chosenValue } from '../../lib/knownValues';
import { createdEvent, statusEvent } from './events';
import { type PolledEvent, type PollResult, sourceOf } from './pollResult';
import { type ListState, pollList, sampleList, type WatchedList } from './watchedList';

export async function pollCampaignRequests(
	context: IPollFunctions,
	_events: string[],
	end: AbortSignal,
): Promise<PollResult> {
	const staticData = context.getWorkflowStaticData('node');
	const list = listOf(context);
	const source = await sourceOf(context, list.filters);
	const stored = staticData as Partial<ListState>;
	const { changes, state } = await pollList(context, list, { source, stored }, end);
	return { changes, save: () => void Object.assign(staticData, state) };
}

/** The items that the existing campaign requests would have started the workflow with. */
export async function sampleCampaignRequests(context: IPollFunctions): Promise<PolledEvent[]> {
	return await sampleList(context, listOf(context));
}

function listOf(context: IPollFunctions): WatchedList {
	const { industry } = context.getNodeParameter('filters', {}) as { industry?: unknown };
	const wanted = String(chosenValue(industry) ?? '').trim();
	return {
		operation: operations['campaignRequest.list'],
		filters: wanted ? { industry: wanted } : {},
		statusOf,
		changesOf(record, before) {
			const status = statusOf(record);
			return [
				...(before === undefined ? [{ type: createdEvent, data: record }] : []),
				...(status !== '' && status !== before
					? [{ type: statusEvent(status), data: record }]
					: []),
			];
		},
	};
}

function statusOf({ status }: IDataObject): string {
	return typeof status === 'string' ? status : '';
}
