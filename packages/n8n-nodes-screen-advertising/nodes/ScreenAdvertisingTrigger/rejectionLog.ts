import { WebhookVerificationError } from '@screen-advertising/core';
import type { IWebhookFunctions } from 'n8n-workflow';
import { LruMap } from '../../lib/lruMap';
import { UnreadableBody } from './rawBody';

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
	} else if (isFirst(context, reason)) {
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

function reasonOf(error: unknown) {
	if (error instanceof WebhookVerificationError) return error.reason;
	return error instanceof UnreadableBody ? 'unreadable_body' : 'invalid_argument';
}

/** Strangers can send as much as they like, and must not flood the log. */
function isFirst(context: IWebhookFunctions, reason: string): boolean {
	const reasons = logged.get(keyOf(context), () => new Set());
	return reasons.size < reasons.add(reason).size;
}

function keyOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/** n8n's log does not show where a message comes from. */
function nameOf(context: IWebhookFunctions): string {
	return `"${context.getNode().name}" of the workflow "${context.getWorkflow().name}"`;
}

const once = ' Further refusals for this reason are not logged until a signed delivery arrives.';
