import { events } from '@screen-advertising/core';
import { defaultToleranceSeconds } from '@screen-advertising/core/webhooks';
import type { INodeProperties } from 'n8n-workflow';
import { sorted, toDescription } from '../../lib/properties';
import { eventSubtitle } from '../../lib/eventSubtitle';

export const properties: INodeProperties[] = [
	{
		displayName:
			'The administration of the service registers webhook URLs. Publish this workflow and give the administration the production URL shown above; it gives you the signing secret for the credential.',
		name: 'registrationNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: sorted(
			Object.values(events).map(({ name, title, description }) => ({
				name: title,
				value: name,
				description: toDescription(description),
			})),
		),
		default: [],
		description: 'The events that start the workflow. Others are acknowledged and ignored.',
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
				displayName: 'Include Raw Body',
				name: 'includeRawBody',
				type: 'boolean',
				default: false,
				description: 'Whether to add the body as it was signed to the output, as text',
			},
			{
				displayName: 'Signature Algorithm',
				name: 'algorithm',
				type: 'options',
				options: [
					{ name: 'SHA-1', value: 'sha1' },
					{ name: 'SHA-256', value: 'sha256' },
					{ name: 'SHA-384', value: 'sha384' },
					{ name: 'SHA-512', value: 'sha512' },
				],
				default: 'sha256',
				description:
					'The hash of the signature. The service does not publish it; ask its administration when every delivery is refused although the secret is right.',
			},
			{
				displayName: 'Signature Tolerance',
				name: 'toleranceSeconds',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: defaultToleranceSeconds,
				description:
					'How many seconds old a signature may be. The last retry of the service arrives 756 seconds after the event, so less than that may lose events.',
			},
			{
				displayName: 'Unknown Events',
				name: 'unknownEvents',
				type: 'boolean',
				default: false,
				description:
					'Whether events that this version of the node does not know start the workflow too',
			},
		],
	},
];

export const subtitle = eventSubtitle(properties);
