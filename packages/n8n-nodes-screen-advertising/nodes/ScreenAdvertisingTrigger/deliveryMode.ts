import { verifySignature, type WebhookEvent } from '@screen-advertising/core';
import {
	defaultToleranceSeconds,
	eventKey,
	readWebhookId,
	signatureHeaderName,
	verifyStandardWebhook,
} from '@screen-advertising/core/webhooks';
import type { IWebhookFunctions } from 'n8n-workflow';
import { relaySecrets } from '../../lib/relay';
import { positive, toggleOf } from '../../lib/values';
import { warnOfUnsignedTime } from './rejection';
import { signingSecrets } from './signingSecrets';

interface Options {
	readonly toleranceSeconds?: unknown;
	readonly unknownEvents?: boolean;
}

/** What the signature of a delivery covers in addition to its body. */
export interface Verified {
	/** In seconds since 1970. */
	readonly signedAt: number;
	/** The ID that the relay gave the event. */
	readonly relayId?: string;
	/** The ID of a delivery that a person asked the relay to replay; its retries keep it. */
	readonly replayId?: string;
	/** Whether it is a test that the relay was asked for: a stored event, or a sample. */
	readonly isTest: boolean;
}

/** How events arrive: how to verify them, and which to accept. */
export interface DeliveryMode {
	readonly isRelay: boolean;
	readonly toleranceSeconds: number;
	/** Whether an event that this version does not know starts the workflow. */
	readonly unknownEvents: boolean;
	/** Throws WebhookVerificationError, or when the credential cannot be used. */
	verify(body: Buffer): Promise<Verified>;
}

/** Reads the delivery mode from the node's parameters. */
export function deliveryModeOf(context: IWebhookFunctions): DeliveryMode {
	return context.getNodeParameter('delivery', 'direct') === 'relay'
		? byRelay(context)
		: direct(context);
}

function direct(context: IWebhookFunctions): DeliveryMode {
	const options = context.getNodeParameter('options', {}) as Options;
	const toleranceSeconds = positive(options.toleranceSeconds, defaultToleranceSeconds);
	return {
		isRelay: false,
		toleranceSeconds,
		unknownEvents: toggleOf(options.unknownEvents) ?? false,
		async verify(body) {
			const secrets = signingSecrets(await context.getCredentials('screenAdvertisingWebhookApi'));
			const signature = context.getHeaderData()[signatureHeaderName];
			const scheme = verifySignature({ body, signature, secrets, toleranceSeconds });
			if (!scheme.signedContent.includes('{t}')) warnOfUnsignedTime(context);
			const [, seconds] = /(?:^|,)\s*t=(\d+)/.exec(String(signature)) ?? [];
			return { signedAt: Number(seconds), isTest: false };
		},
	};
}

/**
 * The relay signs each attempt separately, together with the ID that it gives each event. The
 * signature of the service covers no ID, so a recorded delivery would pass under any other one.
 */
function byRelay(context: IWebhookFunctions): DeliveryMode {
	return {
		isRelay: true,
		toleranceSeconds: defaultToleranceSeconds,
		unknownEvents: false,
		async verify(body) {
			const headers = context.getHeaderData() as Record<string, string | undefined>;
			const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
			const signature = headers['webhook-signature'];
			const secrets = await relaySecrets(context);
			const webhookId = verifyStandardWebhook({ body, id, timestamp, signature, secrets });
			const { id: relayId, isTest, replay } = readWebhookId(webhookId);
			const replayed = replay > 0 && { replayId: webhookId };
			return { signedAt: Number(timestamp), relayId, isTest, ...replayed };
		},
	};
}

/** The ID of the event; undefined when it has none. */
export function idOf({ id }: WebhookEvent, { relayId }: Verified): string | undefined {
	return id ?? relayId;
}

/** Recognizes duplicates. A replay is none: a person asked for it. */
export function keyOf(event: WebhookEvent, body: Buffer, verified: Verified): string {
	return eventKey({ ...event, id: verified.replayId ?? idOf(event, verified) }, body);
}
