import { operations, type Screen } from '@screen-advertising/core';
import { compoundOperations, Nearby, notesOf } from '@screen-advertising/core/availability';
import { readForm } from '@screen-advertising/core/forms';
import type { IPollFunctions } from 'n8n-workflow';
import { listedEvent } from './events';
import { type PolledEvent, type PollResult, sourceOf } from './pollResult';
import { screenFilters } from './screenFilters';
import { type ListState, pollList, sampleList, type WatchedList } from './watchedList';

const nearby = compoundOperations['screen.findNearby'];

export async function pollNewScreens(
	context: IPollFunctions,
	_events: string[],
	end: AbortSignal,
): Promise<PollResult> {
	const staticData = context.getWorkflowStaticData('node');
	const { list, input, place } = read(context);
	const source = await sourceOf(context, input);
	const stored = staticData.newScreens as ListState | undefined;
	const { changes, state } = await pollList(context, list, { source, stored }, end);
	const { withoutCoordinates } = place;
	for (const note of notesOf({ withoutCoordinates })) context.logger.warn(note);
	return {
		changes,
		save() {
			staticData.newScreens = state;
		},
	};
}

/** The items that the existing screens would have started the workflow with. */
export async function sampleNewScreens(context: IPollFunctions): Promise<PolledEvent[]> {
	return await sampleList(context, read(context).list);
}

function read(context: IPollFunctions) {
	const input = readForm(nearby, screenFilters(context, nearby), { optional: ['near'] });
	const { near, radius_km, ...filters } = input;
	const place = new Nearby({ near, radius_km });
	const list: WatchedList = {
		operation: operations['screen.list'],
		filters: { ...filters, limit: operations['screen.list'].largestPage },
		// Once listed, a screen is no longer new.
		statusOf: () => '',
		changesOf(record, before) {
			const distance = before === undefined && place.distanceOf(record as unknown as Screen);
			return distance ? [{ type: listedEvent, data: { ...record, ...distance } }] : [];
		},
	};
	return { list, input, place };
}
