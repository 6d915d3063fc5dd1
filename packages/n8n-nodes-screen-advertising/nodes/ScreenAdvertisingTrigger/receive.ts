import { events, parseEvent, verifySignature, type WebhookEvent } from '@screen-advertising/core';
import { signatureHeaderName } from '@screen-advertising/core/webhooks';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { problemOf, sendProblem } from './problemResponse';
import { rawBody } from './rawBody';
import { logRejection, resetRejectionLog } from './rejectionLog';
import { claim } from './deduplicate';
import { type DeliveryMode, deliveryModeOf } from './deliveryMode';

interface Delivery {
	readonly event: WebhookEvent;
	readonly body: Buffer;
	readonly signature: unknown;
}

/**
 * Responds to a delivery. 200 starts the workflow, or acknowledges a duplicate or an event that was
 * not selected. 401 refuses whatever neither the service nor the relay signed. It never throws,
 * since every forged delivery would leave a failed execution behind.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const mode = deliveryModeOf(this);
	const { algorithm, toleranceSeconds } = mode;
	const signature = this.getHeaderData()[signatureHeaderName];
	let body: Buffer;
	let event: WebhookEvent;
	try {
		body = await rawBody(this.getRequestObject());
		const secrets = await mode.secrets();
		verifySignature({ body, signature, secrets, toleranceSeconds, algorithm });
		resetRejectionLog(this);
		event = parseEvent(body);
	} catch (error) {
		logRejection(this, error);
		return sendProblem(this, problemOf(error));
	}
	if (!isChosen(this, mode, event)) return {};
	const workflowData = [[{ json: output(this, mode, { event, body, signature }) }]];
	// A user who builds a workflow delivers the same event again on purpose.
	if (this.getMode() === 'manual') return { workflowData };
	// A test, like the one when publishing. Its event may be a sample.
	if (mode.isTest) return {};
	const { verdict, confirm } = claim(this, mode.keyOf(event, body), toleranceSeconds);
	if (verdict === 'duplicate') return {};
	if (verdict === 'inFlight') return sendProblem(this, alreadyInFlight);
	return {
		workflowData,
		// n8n reads this once it has created the execution, and then stores static data. An earlier
		// change would be lost (seen in 2.40).
		get webhookResponse() {
			return confirm();
		},
	};
}

const alreadyInFlight = {
	status: 503,
	detail: 'The same event is being worked on at this moment. Deliver it again.',
} as const;

function isChosen(context: IWebhookFunctions, mode: DeliveryMode, { type }: WebhookEvent): boolean {
	if (!(type in events)) return mode.unknownEvents;
	return (context.getNodeParameter('events', []) as string[]).includes(type);
}

function output(
	context: IWebhookFunctions,
	mode: DeliveryMode,
	{ event, body, signature }: Delivery,
): IDataObject {
	const { type, data, payload } = event;
	const { includeHeaders, includeRawBody } = context.getNodeParameter('options', {}) as IDataObject;
	return {
		id: mode.idOf(event) ?? null,
		type,
		timestamp: signedAt(signature),
		data: data as IDataObject,
		...(mode.isTest && payload.is_sample === true && { isSample: true }),
		...(Boolean(includeHeaders) && { headers: { ...context.getHeaderData() } }),
		...(Boolean(includeRawBody) && { rawBody: body.toString('utf8') }),
	};
}

function signedAt(signature: unknown): string {
	const [, seconds] = /(?:^|,)\s*t=(\d+)/.exec(String(signature)) ?? [];
	return new Date(Number(seconds) * 1000).toISOString();
}
