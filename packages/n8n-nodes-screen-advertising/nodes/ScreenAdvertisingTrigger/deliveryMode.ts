import type { WebhookEvent } from '@screen-advertising/core';
import {
	defaultToleranceSeconds,
	eventKey,
	type SignatureAlgorithm,
} from '@screen-advertising/core/webhooks';
import type { IWebhookFunctions } from 'n8n-workflow';
import { relaySecrets } from '../../lib/relay/relay';
import { positive } from '../../lib/values';
import { signingSecrets } from './signingSecrets';

interface Options {
	readonly toleranceSeconds?: unknown;
	readonly algorithm?: SignatureAlgorithm;
	readonly unknownEvents?: boolean;
}

/** How events arrive: how to verify them, and how to recognize duplicates. */
export interface DeliveryMode {
	readonly algorithm: SignatureAlgorithm | undefined;
	readonly toleranceSeconds: number;
	/** Whether an event that this version does not know starts the workflow. */
	readonly unknownEvents: boolean;
	/** Throws when the credential cannot be used. */
	secrets(): Promise<string[]>;
	/** The ID of the event; undefined when it has none. */
	idOf(event: WebhookEvent): string | undefined;
	keyOf(event: WebhookEvent, body: Buffer): string;
	/** Whether it is a test that the relay was asked for: a stored event, or a sample. */
	readonly isTest: boolean;
}

/** Reads the delivery mode from the node's parameters. */
export function deliveryModeOf(context: IWebhookFunctions): DeliveryMode {
	return context.getNodeParameter('delivery', 'direct') === 'relay'
		? byRelay(context)
		: direct(context);
}

function direct(context: IWebhookFunctions): DeliveryMode {
	const options = context.getNodeParameter('options', {}) as Options;
	return {
		algorithm: options.algorithm,
		toleranceSeconds: positive(options.toleranceSeconds, defaultToleranceSeconds),
		unknownEvents: options.unknownEvents === true,
		secrets: async () =>
			signingSecrets(await context.getCredentials('screenAdvertisingWebhookApi')),
		idOf: ({ id }) => id,
		keyOf: eventKey,
		isTest: false,
	};
}

/** The relay signs each attempt separately, and assigns an ID to each event that has none. */
function byRelay(context: IWebhookFunctions): DeliveryMode {
	const { 'webhook-id': webhookId, 'x-relay-test': test } = context.getHeaderData();
	const idOf = ({ id }: WebhookEvent) => id ?? (webhookId as string | undefined);
	return {
		algorithm: undefined,
		toleranceSeconds: defaultToleranceSeconds,
		unknownEvents: false,
		secrets: async () => await relaySecrets(context),
		idOf,
		keyOf: (event, body) => eventKey({ ...event, id: idOf(event) }, body),
		isTest: test !== undefined,
	};
}
