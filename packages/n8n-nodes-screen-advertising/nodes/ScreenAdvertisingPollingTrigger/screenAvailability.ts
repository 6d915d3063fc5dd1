import {
	type AvailabilityChange,
	searchNotes,
	sampleAvailabilityChange,
	type SeenShares,
	compoundOperations,
	type ScreenAvailabilityChangedParams,
	watchAvailability,
} from '@screen-advertising/core/availability';
import { shownFields } from '@screen-advertising/core/forms';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { crossingEventName, thresholdCrossings } from './events';
import {
	accessFingerprint,
	type PolledChange,
	eventsOf,
	readPollInput,
	type PolledEventKind,
	withClient,
} from './kind';

const task = compoundOperations['screen.availabilityChanged'];
const required = shownFields(task)
	.filter((field) => field.required && field.name !== 'change')
	.map(({ name }) => name);

interface State {
	/** The access, and the period as the user entered it. */
	readonly source: string;
	readonly filters: string;
	readonly shares: SeenShares;
	/** The screens that were read, if the last poll did not get to all of them. */
	readonly done: readonly string[];
}

/**
 * Compares the availability of every matching screen with the last poll. Screens that a poll has no
 * time for are the first ones of the next.
 */
export const screenAvailabilityKind: PolledEventKind = {
	key: 'availability',
	what: 'screen',
	async poll(context, { before: stored, end }) {
		const input = watchedIn(context);
		const ofTheRest = { from: undefined, to: undefined, change: undefined, share_pct: undefined };
		const filters = JSON.stringify({ ...input, ...ofTheRest });
		// An expression such as {{ $today }} is the same period, a day later.
		const { from, to } = context.getNode().parameters;
		const source = JSON.stringify([await accessFingerprint(context), from, to]);
		const known = stored as State | undefined;
		const before = known?.source === source ? known : undefined;
		const isSame = before?.filters === filters;
		const watched = await withClient(context, task, (client) =>
			watchAvailability(client, input, {
				seen: before?.shares,
				done: isSame ? before.done : [],
				until: end,
			}),
		);
		const { changes, failures, readings, seen, done, withoutCoordinates, notBookable } = watched;
		if (failures.length > 0) {
			context.logger.warn(
				`The availability of ${failures.length} screens could not be read. What changed of them comes with a later poll.`,
			);
		}
		for (const note of searchNotes({ withoutCoordinates, notBookable })) context.logger.warn(note);
		const current = readings.map(({ screen, share }) => [screen.id, share] as const);
		return {
			changes: changes.map(toChange),
			state: {
				source,
				filters,
				// Shares of screens that are no longer watched would be old by the time they are again.
				shares: isSame || done.length > 0 ? seen : Object.fromEntries(current),
				done,
			} satisfies State,
			isFirst: before === undefined,
			continues: done.length > 0,
		};
	},
	async sample(context) {
		const input = watchedIn(context);
		const sample = await withClient(context, task, (client) =>
			sampleAvailabilityChange(client, input),
		);
		return sample ? [toChange(sample)] : [];
	},
};

function watchedIn(context: IPollFunctions): ScreenAvailabilityChangedParams {
	const known = { change: changeOf(eventsOf(context)) };
	return readPollInput(context, { entry: task, filters: 'screenFilters', required, known });
}

function changeOf(events: readonly string[]): string {
	const [one, ...others] = thresholdCrossings
		.map(({ value }) => value)
		.filter((value) => events.includes(crossingEventName(value)));
	return one !== undefined && others.length === 0 ? one : 'either';
}

/** The event name includes the direction; the rest is as the core returns it. */
function toChange({ change, ...data }: AvailabilityChange): PolledChange {
	return { event: { type: crossingEventName(change ?? ''), data: data as IDataObject } };
}
