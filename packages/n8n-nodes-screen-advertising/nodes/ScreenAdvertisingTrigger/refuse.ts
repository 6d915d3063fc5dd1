import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

const titles: Readonly<Record<number, string>> = {
	400: 'Bad Request',
	401: 'Unauthorized',
	413: 'Content Too Large',
	503: 'Service Unavailable',
};

/** Answers with a problem document (RFC 7807) and starts no execution. */
export function refuse(
	context: IWebhookFunctions,
	status: number,
	detail: string,
): IWebhookResponseData {
	context
		.getResponseObject()
		.status(status)
		.set('content-type', 'application/problem+json')
		.end(JSON.stringify({ type: 'about:blank', title: titles[status], status, detail }));
	return { noWebhookResponse: true };
}
