import { events } from '@screen-advertising/core';
import { relayProblemEventKind } from '@screen-advertising/core/webhooks';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { sentenceCase, sortedByName, toPropertyDescription } from './properties';
import { readProperty } from './values';

/** The events of the service as options. */
export const eventOptions = sortedByName(
	Object.values(events).map(({ name, title, description }) => ({
		name: title,
		value: name,
		description: toPropertyDescription(description),
	})),
);

/** Also the problems of a relay. The trigger has one list: n8n's editor mixes up two of a name. */
export const relayedEventOptions = sortedByName([
	...eventOptions,
	{
		name: relayProblemEventKind.title,
		value: relayProblemEventKind.name,
		description: `Only through a relay. ${relayProblemEventKind.description}`,
	},
]);

/** The option of both triggers for events while they were unpublished. */
export const includeMissedEventsProperty = {
	displayName: 'Include Missed Events',
	name: 'catchUp',
	type: 'boolean',
	// Adding the option turns it on; without it, it is off.
	default: true,
} satisfies INodeProperties;

/** The events that a user chose, of a list that an expression may fill. Throws InputError. */
function chosenEvents(title: string, given: unknown, options: INodeProperties['options']) {
	const property: INodeProperties = {
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		...(options && { options }),
		default: [],
	};
	return readProperty(title, property, given) as string[];
}

/** The types of the events that a user chose for the webhook trigger. Throws InputError. */
export function chosenEventTypes(given: unknown): string[] {
	return chosenEvents('Screen Advertising Trigger', given, relayedEventOptions).flatMap((name) =>
		name === relayProblemEventKind.name ? relayProblemEventKind.types : [name],
	);
}

/**
 * The line below a trigger on the canvas: the labels of its events, or their count if that gets
 * long.
 */
export function eventSubtitle(properties: readonly INodeProperties[]): string {
	// An event with several labels shows the first one.
	const options = properties
		.filter(({ type }) => type === 'multiOptions')
		.flatMap((events) => (events.options ?? []) as INodePropertyOptions[])
		.reverse();
	const labels = JSON.stringify(
		Object.fromEntries(options.map(({ value, name }) => [String(value), sentenceCase(name)])),
	);
	const chosen =
		'(($parameter.authentication === "relay" ? $parameter.relayEvents : $parameter.events) ?? [])';
	return `={{ ${chosen}.length > 2 ? ${chosen}.length + " events" : ${chosen}.map((event) => (${labels})[event]).join(", ") }}`;
}

/**
 * When an event happened, if its envelope says so: the contract shows no member for it. Unlike the
 * time of the signature, it stays the same when the event is delivered again. In a body without an
 * envelope, `created_at` may belong to the record.
 */
export function eventTime(payload: unknown): string | undefined {
	const envelope = Object(payload) as Readonly<Record<string, unknown>>;
	const { created_at: at } = envelope;
	if (typeof (envelope.data ?? envelope.payload) !== 'object') return undefined;
	const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
	return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
