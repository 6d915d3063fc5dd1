import { LruMap } from '@screen-advertising/core/platform';
import { WebhookVerificationError } from '@screen-advertising/core';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { UnreadableBody } from './rawBody';
import { nameOf } from '../../lib/errors/sentences';

/** Why a delivery does not start the workflow, in words for its sender. */
interface Problem {
	readonly status: 400 | 401 | 413 | 503;
	readonly detail: string;
}

const titles: Readonly<Record<Problem['status'], string>> = {
	400: 'Bad Request',
	401: 'Unauthorized',
	413: 'Content Too Large',
	503: 'Service Unavailable',
};

/** Responds with a problem document (RFC 7807) and starts no execution. */
export function sendProblem(
	context: IWebhookFunctions,
	{ status, detail }: Problem,
): IWebhookResponseData {
	context
		.getResponseObject()
		.status(status)
		.set('content-type', 'application/problem+json')
		.end(JSON.stringify({ type: 'about:blank', title: titles[status], status, detail }));
	return { noWebhookResponse: true };
}

/** The response to a delivery that could not be checked or read. */
export function problemOf(error: unknown): Problem {
	if (error instanceof UnreadableBody) return { status: error.status, detail: error.message };
	if (!(error instanceof WebhookVerificationError) || error.reason === 'invalid_argument') {
		return { status: 503, detail: notReady };
	}
	return { status: error.reason === 'malformed_body' ? 400 : 401, detail: error.message };
}

const notReady =
	'The receiver is not set up to check the signature. Its signing secret, credential or options need attention.';

/** What each trigger has logged since its last delivery that the service signed. */
const logged = new LruMap<Set<string>>();

/** Logs why a delivery starts nothing. */
export function logRejection(context: IWebhookFunctions, error: unknown): void {
	const { logger } = context;
	const detail = error instanceof Error ? error.message : String(error);
	const reason = reasonOf(error);
	if (reason === 'malformed_body') {
		// The delivery is signed, so an event of the service gets lost here.
		logger.error(
			`${nameOf(context)} received a signed delivery that cannot start the workflow. ${detail} Report this to the Screen Advertising team.`,
		);
	} else if (isFirst(logged, context, reason)) {
		if (reason === 'invalid_argument') {
			logger.error(`${nameOf(context)} cannot check deliveries. ${detail}${once}`);
		} else {
			logger.warn(`${nameOf(context)} refused a delivery. ${detail}${once}`);
		}
	}
}

/** After a signed delivery, rejections are logged again. */
export function resetRejectionLog(context: IWebhookFunctions): void {
	logged.forget(keyOf(context));
}

/** What each trigger has logged since n8n started. */
const loggedForever: typeof logged = new LruMap();

/** Warns once that a delivery is signed without its time. */
export function warnOfUnsignedTime(context: IWebhookFunctions): void {
	if (!isFirst(loggedForever, context, 'unsigned_time')) return;
	context.logger.warn(
		`${nameOf(context)} receives deliveries whose signature covers only the body, not the time. Anyone who recorded one can start the workflow with it again after an hour. Ask the Screen Advertising team to sign the time too. Until then, check the event ID before a step that must run once.`,
	);
}

function reasonOf(error: unknown) {
	if (error instanceof WebhookVerificationError) return error.reason;
	return error instanceof UnreadableBody ? 'unreadable_body' : 'invalid_argument';
}

/** Strangers can send as much as they like, and must not flood the log. */
function isFirst(log: typeof logged, context: IWebhookFunctions, reason: string): boolean {
	const reasons = log.get(keyOf(context), () => new Set());
	return reasons.size < reasons.add(reason).size;
}

function keyOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

const once = ' Further refusals for this reason are not logged until a signed delivery arrives.';
