import { WebhookVerificationError } from '@screen-advertising/core';
import type { IWebhookFunctions } from 'n8n-workflow';
import { LatestUsed } from '../../lib/latestUsed';
import { UnreadableBody } from './rawBody';

/** Why a delivery does not start the workflow, for whoever sent it. */
export type Refusal = [status: number, detail: string];

/** What the log was told of each trigger since it last got a delivery that the service signed. */
const told = new LatestUsed<Set<string>>();

/** Status and words for a delivery that could not be checked or read; n8n's log is told, too. */
export function refusal(context: IWebhookFunctions, error: unknown): Refusal {
	const { logger } = context;
	const detail = error instanceof Error ? error.message : String(error);
	const reason = reasonOf(error);
	if (reason === 'malformed_body') {
		// It is signed, so an event of the service gets lost here.
		logger.error(
			`${nameOf(context)} got a delivery that the service signed, and that starts nothing. ${detail} Tell the administration of the service.`,
		);
		return [400, detail];
	}
	const isNew = isFirst(context, reason);
	if (reason === 'invalid_argument') {
		if (isNew) logger.error(`${nameOf(context)} cannot check deliveries. ${detail}${once}`);
		return [503, notReady];
	}
	if (isNew) logger.warn(`${nameOf(context)} refused a delivery. ${detail}${once}`);
	return [error instanceof UnreadableBody ? error.status : 401, detail];
}

function reasonOf(error: unknown) {
	if (error instanceof WebhookVerificationError) return error.reason;
	return error instanceof UnreadableBody ? 'unreadable_body' : 'invalid_argument';
}

/** What is refused from now on is news again. */
export function noteSigned(context: IWebhookFunctions): void {
	told.forget(keyOf(context));
}

/** Strangers can send as much as they like, and must not fill the log with it. */
function isFirst(context: IWebhookFunctions, reason: string): boolean {
	const reasons = told.get(keyOf(context), () => new Set());
	return reasons.size < reasons.add(reason).size;
}

function keyOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/** n8n's log shows nothing of where a message comes from. */
function nameOf(context: IWebhookFunctions): string {
	return `"${context.getNode().name}" of the workflow "${context.getWorkflow().name}"`;
}

const once =
	' More of them for this reason are not logged until a delivery comes that the service signed.';

const notReady =
	'The receiver is not set up to check the signature. Its signing secret, credential or options need attention.';
