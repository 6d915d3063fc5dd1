import {
	events,
	parseEvent,
	verifySignature,
	type WebhookEvent,
	WebhookVerificationError,
} from '@screen-advertising/core';
import { withCurrencyAmounts } from '@screen-advertising/core/forms';
import { LruMap } from '@screen-advertising/core/platform';
import {
	defaultToleranceSeconds,
	eventKey,
	ignoredHeaderName,
	type IgnoredReason,
	isRelayProblemEventName,
	readWebhookId,
	signatureHeaderName,
	verifyStandardWebhook,
} from '@screen-advertising/core/webhooks';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { credentialText } from '../../lib/access';
import { eventTime, chosenEventTypes } from '../../lib/eventProperties';
import { nodeInWorkflow } from '../../lib/nodeErrors';
import { relaySigningSecrets } from '../../lib/relay';
import { triggerOption } from '../../lib/values';
import { claimDelivery } from './deduplicate';
import { properties } from './ScreenAdvertisingTrigger.description';

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
export async function receiveDelivery(this: IWebhookFunctions): Promise<IWebhookResponseData> {
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
	const { verdict, confirm } = claimDelivery(
		this,
		eventKeyOf(event, body, verified),
		mode.toleranceSeconds,
	);
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
	const isOfRelay = mode.isRelay && isRelayProblemEventName(type);
	if (!(type in events) && !isOfRelay) return mode.unknownEvents;
	return chosenEventTypes(context.getNodeParameter('events', [])).includes(type);
}

function output(context: IWebhookFunctions, { event, body, verified }: Delivery): IDataObject {
	const { type, data, payload } = event;
	const isOn = (name: string) => triggerOption(context, properties, name) === true;
	return {
		id: idOf(event, verified) ?? null,
		type,
		timestamp: eventTime(payload) ?? new Date(verified.signedAt * 1000).toISOString(),
		data: withCurrencyAmounts(data as IDataObject),
		...(verified.isTest && payload.is_sample === true && { isSample: true }),
		...(isOn('includeHeaders') && { headers: { ...context.getHeaderData() } }),
		...(isOn('includeRawBody') && { rawBody: body.toString('utf8') }),
	};
}

type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']> & {
	readRawBody?(): Promise<void>;
};

/** A body that n8n cannot return as it was sent, so its signature cannot be checked. */
class UnreadableBody extends Error {
	readonly status: 400 | 413;

	constructor(status: 400 | 413) {
		super(
			status === 413
				? 'The body of the delivery is larger than this n8n accepts.'
				: 'The body of the delivery cannot be read: send it whole, as JSON, and compressed as its headers say.',
		);
		this.status = status;
	}
}

/**
 * Returns the signed bytes. n8n reads them before parsing, or on request. Throws UnreadableBody for
 * a form, for false or broken compression, and for a body that is too large or ends too early. Any
 * stranger can send these.
 */
async function rawBody(request: N8nRequest): Promise<Buffer> {
	if (!Buffer.isBuffer(request.rawBody)) {
		await Promise.race([request.readRawBody?.(), brokenOff(request)]).catch(fail);
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

/** n8n keeps waiting for the rest of a compressed body after its sender has left. */
async function brokenOff(request: N8nRequest): Promise<never> {
	return await new Promise((_, reject) => {
		request.once('close', () => {
			if (!request.complete) reject(new Error('aborted'));
		});
	});
}

function fail(error: { status?: unknown }): never {
	throw new UnreadableBody(error.status === 413 ? 413 : 400);
}

/** The facts that the signature of a delivery covers in addition to its body. */
interface Verified {
	/** Seconds since 1970. */
	readonly signedAt: number;
	/** The ID that the relay gave the event. */
	readonly relayId?: string;
	/** The ID of a delivery that a person asked the relay to replay; its retries keep it. */
	readonly replayId?: string;
	/** Whether it is a test that the relay was asked for: a stored event, or a sample. */
	readonly isTest: boolean;
}

/** How events arrive: how to verify them, and which to accept. */
interface DeliveryMode {
	readonly isRelay: boolean;
	readonly toleranceSeconds: number;
	/** Whether an event that this version does not know starts the workflow. */
	readonly unknownEvents: boolean;
	/** Throws WebhookVerificationError, or when the credential cannot be used. */
	verify(body: Buffer): Promise<Verified>;
}

/** Reads the delivery mode from the node's parameters. */
function deliveryModeOf(context: IWebhookFunctions): DeliveryMode {
	return context.getNodeParameter('delivery', 'direct') === 'relay'
		? byRelay(context)
		: direct(context);
}

function direct(context: IWebhookFunctions): DeliveryMode {
	const given = triggerOption(context, properties, 'toleranceSeconds');
	const toleranceSeconds = Number(given ?? defaultToleranceSeconds);
	return {
		isRelay: false,
		toleranceSeconds,
		unknownEvents: triggerOption(context, properties, 'unknownEvents') === true,
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
 * The secrets that may sign deliveries: the current one, and the previous one. Surrounding white
 * space comes from pasting, as with the other credentials.
 */
export function signingSecrets(credential: ICredentialDataDecryptedObject): string[] {
	return [credential.signingSecret, credential.previousSigningSecret]
		.map(credentialText)
		.filter((secret) => secret !== '');
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
			const secrets = await relaySigningSecrets(context);
			const webhookId = verifyStandardWebhook({ body, id, timestamp, signature, secrets });
			const { id: relayId, isTest, replay } = readWebhookId(webhookId);
			const replayed = replay > 0 && { replayId: webhookId };
			return { signedAt: Number(timestamp), relayId, isTest, ...replayed };
		},
	};
}

/** The ID of the event; undefined when it has none. */
function idOf({ id }: WebhookEvent, { relayId }: Verified): string | undefined {
	return id ?? relayId;
}

/** Recognizes duplicates. A replay is none: a person asked for it. */
function eventKeyOf(event: WebhookEvent, body: Buffer, verified: Verified): string {
	return eventKey({ ...event, id: verified.replayId ?? idOf(event, verified) }, body);
}

/** Why a delivery does not start the workflow, in words for its sender. */
interface Problem {
	readonly status: 400 | 401 | 413 | 503;
	readonly detail: string;
}

const problemTitles: Readonly<Record<Problem['status'], string>> = {
	400: 'Bad Request',
	401: 'Unauthorized',
	413: 'Content Too Large',
	503: 'Service Unavailable',
};

/** Responds with a problem document (RFC 7807) and starts no execution. */
function sendProblem(
	context: IWebhookFunctions,
	{ status, detail }: Problem,
): IWebhookResponseData {
	context
		.getResponseObject()
		.status(status)
		.set('content-type', 'application/problem+json')
		.end(JSON.stringify({ type: 'about:blank', title: problemTitles[status], status, detail }));
	return { noWebhookResponse: true };
}

/** The response to a delivery that could not be checked or read. */
function problemOf(error: unknown): Problem {
	if (error instanceof UnreadableBody) return { status: error.status, detail: error.message };
	if (!(error instanceof WebhookVerificationError) || error.reason === 'invalid_argument') {
		return { status: 503, detail: notReady };
	}
	return { status: error.reason === 'malformed_body' ? 400 : 401, detail: error.message };
}

const notReady =
	'The receiver is not set up to check the signature. Its signing secret, credential or options need attention.';

/** The reasons that each trigger has logged since its last delivery that the service signed. */
const logged = new LruMap<Set<string>>();

/** Logs why a delivery starts nothing. */
function logRejection(context: IWebhookFunctions, error: unknown): void {
	const { logger } = context;
	const detail = error instanceof Error ? error.message : String(error);
	const reason = reasonOf(error);
	if (reason === 'malformed_body') {
		// The delivery is signed, so an event of the service gets lost here.
		logger.error(
			`${nodeInWorkflow(context)} received a signed delivery that cannot start the workflow. ${detail} Report this to the Screen Advertising team.`,
		);
	} else if (isFirst(logged, context, reason)) {
		if (reason === 'invalid_argument') {
			logger.error(`${nodeInWorkflow(context)} cannot check deliveries. ${detail}${once}`);
		} else {
			logger.warn(`${nodeInWorkflow(context)} refused a delivery. ${detail}${once}`);
		}
	}
}

/** After a signed delivery, rejections are logged again. */
function resetRejectionLog(context: IWebhookFunctions): void {
	logged.forget(triggerOf(context));
}

/** The warnings that each trigger has logged since n8n started. */
const loggedForever: typeof logged = new LruMap();

/** Warns once that a delivery is signed without its time. */
function warnOfUnsignedTime(context: IWebhookFunctions): void {
	if (!isFirst(loggedForever, context, 'unsigned_time')) return;
	context.logger.warn(
		`${nodeInWorkflow(context)} receives deliveries whose signature covers only the body, not the time. Anyone who recorded one can start the workflow with it again after an hour. Ask the Screen Advertising team to sign the time too. Until then, check the event ID before a step that must run once.`,
	);
}

function reasonOf(error: unknown) {
	if (error instanceof WebhookVerificationError) return error.reason;
	return error instanceof UnreadableBody ? 'unreadable_body' : 'invalid_argument';
}

/** Strangers can send as much as they like, and must not flood the log. */
function isFirst(log: typeof logged, context: IWebhookFunctions, reason: string): boolean {
	const reasons = log.get(triggerOf(context), () => new Set());
	return reasons.size < reasons.add(reason).size;
}

function triggerOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

const once = ' Further refusals for this reason are not logged until a signed delivery arrives.';
