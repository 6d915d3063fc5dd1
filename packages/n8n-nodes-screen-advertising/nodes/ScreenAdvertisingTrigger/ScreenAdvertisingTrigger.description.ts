import { defaultToleranceSeconds } from '@screen-advertising/core/webhooks';
import type { INodeProperties } from 'n8n-workflow';
import {
	eventSubtitle,
	includeMissedEventsProperty,
	relayedEventOptions,
} from '../../lib/eventProperties';

const byRelay = { show: { delivery: ['relay'] } };
const direct = { show: { delivery: ['direct'] } };
const directOption = { show: { '/delivery': ['direct'] } };
const byRelayOption = { show: { '/delivery': ['relay'] } };

export const properties: INodeProperties[] = [
	{
		displayName: 'Receive Events',
		name: 'delivery',
		type: 'options',
		options: [
			{
				name: 'Directly From the Service',
				value: 'direct',
				description: 'The Screen Advertising team registers the production URL of this workflow',
			},
			{
				name: 'Through a Relay',
				value: 'relay',
				description:
					'Publishing the workflow subscribes it at your relay, which stores events while n8n is down',
			},
		],
		default: 'direct',
		description: 'How this workflow receives events from the service',
	},
	{
		displayName:
			'Publish this workflow, open <b>Webhook URLs</b> above, and send the <b>Production URL</b> to the Screen Advertising team. They register it and give you the signing secret for the credential. <b>Execute step</b> receives only what is delivered to the <b>Test URL</b>.',
		name: 'registrationNotice',
		type: 'notice',
		default: '',
		displayOptions: direct,
	},
	{
		displayName:
			'Publish this workflow to subscribe it at your relay, and unpublish it to unsubscribe. There is no URL to register. <a href="https://github.com/screen-advertising/connectors/blob/main/docs/receive-events.md#questions-about-the-relay" target="_blank">If the relay is down</a>',
		name: 'subscriptionNotice',
		type: 'notice',
		default: '',
		displayOptions: byRelay,
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: relayedEventOptions,
		default: [],
		description: 'The events that start the workflow',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Include Headers',
				name: 'includeHeaders',
				type: 'boolean',
				default: false,
				description: 'Whether to add the headers of the delivery to the output',
			},
			{
				...includeMissedEventsProperty,
				description:
					'Whether publishing also starts the workflow once for each event while it was unpublished. Without it, only within ten minutes.',
				displayOptions: byRelayOption,
			},
			{
				displayName: 'Include Raw Body',
				name: 'includeRawBody',
				type: 'boolean',
				default: false,
				description: 'Whether to add the signed body to the output as text',
			},
			{
				displayName: 'Signature Tolerance',
				name: 'toleranceSeconds',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: defaultToleranceSeconds,
				description:
					'Maximum age of a signature in seconds. The last retry arrives 756 seconds after the event, so a lower value may lose events.',
				displayOptions: directOption,
			},
			{
				displayName: 'Unknown Events',
				name: 'unknownEvents',
				type: 'boolean',
				default: false,
				description:
					'Whether events that this version of the node does not know start the workflow too',
				displayOptions: directOption,
			},
		],
	},
];

export const subtitle = eventSubtitle(properties);
