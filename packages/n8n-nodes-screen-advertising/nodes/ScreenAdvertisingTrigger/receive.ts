import { events, parseEvent, verifySignature, type WebhookEvent } from '@screen-advertising/core';
import { signatureHeaderName } from '@screen-advertising/core/webhooks';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { answerProblem, problemOf } from './problemAnswer';
import { rawBody } from './rawBody';
import { forgetRefusals, logRefusal } from './refusalLog';
import { claim } from './repeats';
import { type Way, wayOf } from './way';

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
	const way = wayOf(this);
	const { algorithm, toleranceSeconds } = way;
	const signature = this.getHeaderData()[signatureHeaderName];
	let body: Buffer;
	let event: WebhookEvent;
	try {
		body = await rawBody(this.getRequestObject());
		const secrets = await way.secrets();
		verifySignature({ body, signature, secrets, toleranceSeconds, algorithm });
		forgetRefusals(this);
		event = parseEvent(body);
	} catch (error) {
		logRefusal(this, error);
		return answerProblem(this, problemOf(error));
	}
	if (!isWanted(this, way, event)) return {};
	const workflowData = [[{ json: output(this, way, { event, body, signature }) }]];
	// A user who builds a workflow delivers the same event again on purpose.
	if (this.getMode() === 'manual') return { workflowData };
	// A test, like the one when publishing. Its event may be a sample.
	if (way.isTest) return {};
	const { verdict, confirm } = claim(this, way.keyOf(event, body), toleranceSeconds);
	if (verdict === 'repeat') return {};
	if (verdict === 'under way') return answerProblem(this, underWay);
	return {
		workflowData,
		// n8n reads this once it has created the execution, and then stores static data. An earlier
		// change would be lost (seen in 2.40).
		get webhookResponse() {
			return confirm();
		},
	};
}

const underWay = {
	status: 503,
	detail: 'The same event is being worked on at this moment. Deliver it again.',
} as const;

function isWanted(context: IWebhookFunctions, way: Way, { type }: WebhookEvent): boolean {
	if (!(type in events)) return way.unknownEvents;
	return (context.getNodeParameter('events', []) as string[]).includes(type);
}

function output(
	context: IWebhookFunctions,
	way: Way,
	{ event, body, signature }: Delivery,
): IDataObject {
	const { type, data, payload } = event;
	const { includeHeaders, includeRawBody } = context.getNodeParameter('options', {}) as IDataObject;
	return {
		id: way.idOf(event) ?? null,
		type,
		timestamp: signedAt(signature),
		data: data as IDataObject,
		...(way.isTest && payload.is_sample === true && { isSample: true }),
		...(Boolean(includeHeaders) && { headers: { ...context.getHeaderData() } }),
		...(Boolean(includeRawBody) && { rawBody: body.toString('utf8') }),
	};
}

function signedAt(signature: unknown): string {
	const [, seconds] = /(?:^|,)\s*t=(\d+)/.exec(String(signature)) ?? [];
	return new Date(Number(seconds) * 1000).toISOString();
}
