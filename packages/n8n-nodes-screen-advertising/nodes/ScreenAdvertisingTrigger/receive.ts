import { events, parseEvent, type WebhookEvent } from '@screen-advertising/core';
import { withAmounts } from '@screen-advertising/core/forms';
import {
	type IgnoredReason,
	ignoredHeaderName,
	isRelayProblem,
} from '@screen-advertising/core/webhooks';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { eventTime, typesOf } from '../../lib/eventProperties';
import { toggleOf } from '../../lib/values';
import { problemOf, sendProblem, logRejection, resetRejectionLog } from './rejection';
import { rawBody } from './rawBody';
import { claim } from './deduplicate';
import { type DeliveryMode, deliveryModeOf, idOf, keyOf, type Verified } from './deliveryMode';

interface Delivery {
	readonly event: WebhookEvent;
	readonly body: Buffer;
	readonly verified: Verified;
}

/**
 * Responds to a delivery. 200 starts the workflow, or acknowledges a duplicate or an event that was
 * not selected. 401 refuses whatever neither the service nor the relay signed. It never throws,
 * since every forged delivery would leave a failed execution behind.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const mode = deliveryModeOf(this);
	let delivery: Delivery;
	try {
		const body = await rawBody(this.getRequestObject());
		const verified = await mode.verify(body);
		resetRejectionLog(this);
		delivery = { event: parseEvent(body), body, verified };
	} catch (error) {
		logRejection(this, error);
		return sendProblem(this, problemOf(error));
	}
	const { event, body, verified } = delivery;
	if (!isChosen(this, mode, event)) return ignore(this, 'not_wanted');
	const workflowData = [[{ json: output(this, delivery) }]];
	// A user who builds a workflow delivers the same event again on purpose.
	if (this.getMode() === 'manual') return { workflowData };
	// A test, like the one when publishing. Its event may be a sample.
	if (verified.isTest) return ignore(this, 'sample');
	const { verdict, confirm } = claim(this, keyOf(event, body, verified), mode.toleranceSeconds);
	if (verdict === 'duplicate') return ignore(this, 'duplicate');
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

/** Acknowledges a delivery that starts nothing, and says why to a relay. */
function ignore(context: IWebhookFunctions, reason: IgnoredReason): IWebhookResponseData {
	context.getResponseObject().set(ignoredHeaderName, reason);
	return {};
}

const alreadyInFlight = {
	status: 503,
	detail: 'The same event is being worked on at this moment. Deliver it again.',
} as const;

function isChosen(context: IWebhookFunctions, mode: DeliveryMode, { type }: WebhookEvent): boolean {
	const isOfRelay = mode.isRelay && isRelayProblem(type);
	if (!(type in events) && !isOfRelay) return mode.unknownEvents;
	return typesOf(context.getNodeParameter('events', [])).includes(type);
}

function output(context: IWebhookFunctions, { event, body, verified }: Delivery): IDataObject {
	const { type, data, payload } = event;
	const { includeHeaders, includeRawBody } = context.getNodeParameter('options', {}) as IDataObject;
	return {
		id: idOf(event, verified) ?? null,
		type,
		timestamp: eventTime(payload) ?? new Date(verified.signedAt * 1000).toISOString(),
		data: withAmounts(data as IDataObject),
		...(verified.isTest && payload.is_sample === true && { isSample: true }),
		...(toggleOf(includeHeaders) && { headers: { ...context.getHeaderData() } }),
		...(toggleOf(includeRawBody) && { rawBody: body.toString('utf8') }),
	};
}
