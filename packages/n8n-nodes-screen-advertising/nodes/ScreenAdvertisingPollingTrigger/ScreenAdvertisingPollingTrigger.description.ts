import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { shownFields } from '@screen-advertising/core/forms';
import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';
import { accessCredentials, authenticationProperty } from '../../lib/authentication';
import { sortedByName, toProperty, toKnownValueList } from '../../lib/properties';

import { whenEmptyProperty } from '../../lib/values';
import {
	eventOptions,
	eventSubtitle,
	includeMissedEventsProperty,
} from '../../lib/eventProperties';
import {
	requestCreatedEventName,
	crossingEventName,
	crossingEventNames,
	thresholdCrossings,
	screenListedEventName,
	relayEventsParameter,
	requestStatusEventName,
} from './events';

const requestFields = shownFields(operations['campaignRequest.list']);
const statuses = requestFields.find(({ name }) => name === 'status')?.choices ?? [];
const requestEvents = [
	requestCreatedEventName,
	...statuses.map(({ value }) => requestStatusEventName(value)),
];

const availabilityChanged = compoundOperations['screen.availabilityChanged'];
// The choice of event includes the direction.
const screenFields = shownFields(availabilityChanged).filter(({ name }) => name !== 'change');
const screenEvents = [...crossingEventNames, screenListedEventName];

// When a field changes, n8n's editor empties lists and collections whose conditions name it, even if
// what they hold is still valid (seen in 2.40). It does not see a name that starts at the root: so
// the node panel's choice of event survives the choice of a credential, and filters that of events.
const ofService = { '/authentication': ['apiKey', 'clientCredentials'] };
const ofRelay = { '/authentication': ['relay'] };
const shownFor = (names: string[]) => ({
	displayOptions: { show: { ...ofService, '/events': names } },
});

export const credentials: INodeCredentialDescription[] = [
	...accessCredentials,
	{
		name: 'screenAdvertisingRelayApi',
		required: true,
		displayOptions: { show: { authentication: ['relay'] } },
	},
];

export const properties: INodeProperties[] = [
	{
		...authenticationProperty,
		// n8n's editor hides the field of this name, and of no other, and sets it by the credential.
		options: [...(authenticationProperty.options ?? []), { name: 'Relay', value: 'relay' }],
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		displayOptions: { show: ofService },
		options: sortedByName([
			{
				name: 'New Campaign Request',
				value: requestCreatedEventName,
				description: 'A campaign request was created',
			},
			{
				name: 'New Screen',
				value: screenListedEventName,
				description: 'A screen can be booked that was not in the list before',
			},
			// n8n lists them as "On campaign request rejected" and so on.
			...statuses.map(({ value, title }) => ({
				name: `Campaign Request ${title}`,
				value: requestStatusEventName(value),
				description: `A campaign request now has the status ${title}`,
			})),
			...thresholdCrossings.map(({ value, title }) => ({
				name: `Screen Availability ${title}`,
				value: crossingEventName(value),
				description: `A screen's available share of voice ${title.toLowerCase()} the threshold`,
			})),
		]),
		default: [requestCreatedEventName],
		description:
			'What starts the workflow: new requests, statuses or screens, or changed availability',
	},
	{
		displayName:
			'This credential is of a relay: choose which of its stored events start the workflow. For new statuses, new screens and availability, choose the credential of an API key or of client credentials above.',
		name: 'relayNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: ofRelay },
	},
	{
		displayName: 'Trigger On',
		name: relayEventsParameter,
		type: 'multiOptions',
		required: true,
		displayOptions: { show: ofRelay },
		options: eventOptions,
		default: [],
		description: 'The stored events that start the workflow',
	},
	...screenFields
		.filter(({ required }) => required)
		.map((field) => ({ ...toProperty(field), ...shownFor(crossingEventNames) })),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: requestFields
			.filter(({ name }) => name === 'industry')
			.map((field) => toKnownValueList(toProperty(field))),
		...shownFor(requestEvents),
	},
	{
		displayName: 'Screen Filters',
		name: 'screenFilters',
		description:
			'Which screens to watch. For availability, each poll makes one request per matching screen.',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: sortedByName(
			screenFields
				.filter(({ required }) => !required)
				.map((field) => toKnownValueList(toProperty(field))),
		),
		...shownFor(screenEvents),
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				...includeMissedEventsProperty,
				description:
					'Whether publishing also starts the workflow with what changed while it was unpublished. Without it, only within ten minutes.',
			},
			...whenEmptyProperty(screenFields),
		],
	},
];

export const subtitle = eventSubtitle(properties);
