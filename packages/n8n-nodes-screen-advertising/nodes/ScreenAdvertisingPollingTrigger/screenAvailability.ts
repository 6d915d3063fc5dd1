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
import { crossingEvent, crossings } from './events';
import { type PolledEvent, type PollResult, sourceOf, withClient } from './pollResult';
import { screenFilters } from './screenFilters';

const task = compoundOperations['screen.availabilityChanged'];
const settings = shownFields(task).filter(({ name, required }) => required && name !== 'change');

interface State {
	readonly source: string;
	readonly shares: SeenShares;
	/** The screens that were read, if the last poll did not get to all of them. */
	readonly done?: readonly string[];
}

/**
 * Compares the availability of every matching screen with the last poll. Screens that a poll has no
 * time for are the first ones of the next.
 */
export async function pollAvailability(
	context: IPollFunctions,
	events: string[],
	until: AbortSignal,
): Promise<PollResult> {
	const staticData = context.getWorkflowStaticData('node');
	const input = inputOf(context, events);
	// Leaves out the threshold and direction: the last poll is compared with the current settings.
	const source = await sourceOf(context, { ...input, change: undefined, share_pct: undefined });
	const before = staticData.screens as State | undefined;
	const { shares: seen, done: read }: Partial<State> = before?.source === source ? before : {};
	const watched = await withClient(context, task, (client) =>
		watchAvailability(client, input, { seen, done: read, until }),
	);
	const { changes, failures, seen: shares, done, withoutCoordinates, notBookable } = watched;
	if (failures.length > 0) {
		context.logger.warn(
			`The availability of ${failures.length} screens could not be read. What changed of them comes with a later poll.`,
		);
	}
	for (const note of notesOf({ withoutCoordinates, notBookable })) context.logger.warn(note);
	return {
		changes: changes.map(toPolledEvent),
		save() {
			staticData.screens = { source, shares, done };
		},
	};
}

/** An existing screen, as if it had just crossed the threshold. */
export async function sampleAvailability(
	context: IPollFunctions,
	events: string[],
): Promise<PolledEvent[]> {
	const sample = await withClient(context, task, (client) =>
		sampleAvailabilityChange(client, inputOf(context, events)),
	);
	return sample ? [toPolledEvent(sample)] : [];
}

function inputOf(context: IPollFunctions, events: string[]): ScreenAvailabilityChangedParams {
	const entered = screenFilters(context, task);
	for (const { name } of settings) entered[name] = context.getNodeParameter(name, undefined);
	entered.change = changeOf(events);
	return readForm(task, entered, { timeZone: context.getTimezone() });
}

function changeOf(events: string[]): string {
	const [one, ...others] = crossings
		.map(({ value }) => value)
		.filter((value) => events.includes(crossingEvent(value)));
	return one !== undefined && others.length === 0 ? one : 'either';
}

/** The event name includes the direction; the rest is as the core returns it. */
function toPolledEvent({ change, ...data }: AvailabilityChange): PolledEvent {
	return { type: crossingEvent(change ?? ''), data: data as IDataObject };
}
