import { events, parseEvent, verifySignature, type WebhookEvent } from '@screen-advertising/core';
import {
	defaultToleranceSeconds,
	eventKey,
	type SignatureAlgorithm,
	signatureHeaderName,
} from '@screen-advertising/core/webhooks';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { positive } from '../../lib/values';
import { answerProblem, problemOf } from './problemAnswer';
import { rawBody } from './rawBody';
import { forgetRefusals, logRefusal } from './refusalLog';
import { claim } from './repeats';
import { signingSecrets } from './signingSecrets';

interface Options {
	readonly toleranceSeconds?: unknown;
	readonly algorithm?: SignatureAlgorithm;
	readonly unknownEvents?: boolean;
	readonly includeHeaders?: boolean;
	readonly includeRawBody?: boolean;
}

/**
 * Answers a delivery: 200 starts the workflow, or acknowledges an event that was not selected or a
 * repeat; 401 refuses what the service did not sign. It never throws, since every forged delivery
 * would leave a failed execution behind.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const options = this.getNodeParameter('options', {}) as Options;
	const toleranceSeconds = positive(options.toleranceSeconds, defaultToleranceSeconds);
	const signature = this.getHeaderData()[signatureHeaderName];
	let body: Buffer;
	let event: WebhookEvent;
	try {
		body = await rawBody(this.getRequestObject());
		const credential = await this.getCredentials('screenAdvertisingWebhookApi');
		verifySignature({
			body,
			signature,
			secrets: signingSecrets(credential),
			toleranceSeconds,
			algorithm: options.algorithm,
		});
		forgetRefusals(this);
		event = parseEvent(body);
	} catch (error) {
		logRefusal(this, error);
		return answerProblem(this, problemOf(error));
	}
	if (!isWanted(this, options, event)) return {};
	const workflowData = [[{ json: output(this, options, event, body, signature) }]];
	// Somebody who builds a workflow delivers the same event again on purpose.
	if (this.getMode() === 'manual') return { workflowData };
	const { verdict, confirm } = claim(this, eventKey(event, body), toleranceSeconds);
	if (verdict === 'repeat') return {};
	if (verdict === 'under way') return answerProblem(this, underWay);
	return {
		workflowData,
		// n8n reads this once it has created the execution, and stores static data next. What was
		// changed there earlier would be forgotten (seen in 2.40).
		get webhookResponse() {
			return confirm();
		},
	};
}

const underWay = {
	status: 503,
	detail: 'The same event is being worked on at this moment. Deliver it again.',
} as const;

function isWanted(context: IWebhookFunctions, options: Options, { type }: WebhookEvent): boolean {
	if (!(type in events)) return options.unknownEvents === true;
	return (context.getNodeParameter('events', []) as string[]).includes(type);
}

function output(
	context: IWebhookFunctions,
	options: Options,
	{ id, type, data }: WebhookEvent,
	body: Buffer,
	signature: unknown,
): IDataObject {
	return {
		id: id ?? null,
		type,
		timestamp: signedAt(signature),
		data: data as IDataObject,
		...(options.includeHeaders && { headers: { ...context.getHeaderData() } }),
		...(options.includeRawBody && { rawBody: body.toString('utf8') }),
	};
}

function signedAt(signature: unknown): string {
	const [, seconds] = /(?:^|,)\s*t=(\d+)/.exec(String(signature)) ?? [];
	return new Date(Number(seconds) * 1000).toISOString();
}
