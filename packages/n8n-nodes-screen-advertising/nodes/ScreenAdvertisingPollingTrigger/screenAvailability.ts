import {
	type AvailabilityChange,
	notesOf,
	sampleAvailabilityChange,
	type SeenShares,
	compoundOperations,
	type ScreenAvailabilityChangedParams,
	watchAvailability,
} from '@screen-advertising/core/availability';
import { readForm, shownFields } from '@screen-advertising/core/forms';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { chosenValue } from '../../lib/knownValues';
import { crossingEvent, crossings } from './events';
import { type Change, type PollResult, sourceOf, withClient } from './pollResult';

const task = compoundOperations['screen.availabilityChanged'];
const fields = shownFields(task).filter(({ name }) => name !== 'change');

interface State {
	readonly source: string;
	readonly shares: SeenShares;
}

/** Compares the availability of every matching screen with the last poll. */
export async function pollScreens(context: IPollFunctions, events: string[]): Promise<PollResult> {
	const staticData = context.getWorkflowStaticData('node');
	const input = inputOf(context, events);
	// Leaves out the threshold and direction: the last poll is compared with the current settings.
	const source = sourceOf(context, { ...input, change: undefined, share_pct: undefined });
	const before = staticData.screens as State | undefined;
	const seen = before?.source === source ? before.shares : {};
	const watched = await withClient(context, task, (client) =>
		watchAvailability(client, input, { seen }),
	);
	const { changes, failures, seen: shares, withoutCoordinates, notBookable } = watched;
	if (failures.length > 0) {
		context.logger.warn(
			`The availability of ${failures.length} screens could not be read. What changed of them comes with a later poll.`,
		);
	}
	for (const note of notesOf({ withoutCoordinates, notBookable })) context.logger.warn(note);
	return {
		changes: changes.map(toChange),
		save() {
			staticData.screens = { source, shares };
		},
	};
}

/** An existing screen, as if it had just crossed the threshold. */
export async function sampleScreens(context: IPollFunctions, events: string[]): Promise<Change[]> {
	const sample = await withClient(context, task, (client) =>
		sampleAvailabilityChange(client, inputOf(context, events)),
	);
	return sample ? [toChange(sample)] : [];
}

function inputOf(context: IPollFunctions, events: string[]): ScreenAvailabilityChangedParams {
	const filters = context.getNodeParameter('screenFilters', {}) as IDataObject;
	const entered: Record<string, unknown> = { change: changeOf(events) };
	for (const field of fields) {
		const given = field.required
			? context.getNodeParameter(field.name, undefined)
			: filters[field.name];
		entered[field.name] = chosenValue(given);
	}
	return readForm(task, entered, { timeZone: context.getTimezone() });
}

function changeOf(events: string[]): string {
	const [one, ...others] = crossings
		.map(({ value }) => value)
		.filter((value) => events.includes(crossingEvent(value)));
	return one !== undefined && others.length === 0 ? one : 'either';
}

/** The event name includes the direction; the rest is as the core returns it. */
function toChange({ change, ...data }: AvailabilityChange): Change {
	return { type: crossingEvent(change ?? ''), data: data as IDataObject };
}
