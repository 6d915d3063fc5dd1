import { WebhookVerificationError } from '@screen-advertising/core';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { UnreadableBody } from './rawBody';

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
