import type { IWebhookFunctions } from 'n8n-workflow';

type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']> & {
	readRawBody?(): Promise<void>;
};

/** The bytes that were signed. n8n reads them before parsing, or when asked to. */
export async function rawBody(request: N8nRequest): Promise<Buffer> {
	if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody?.();
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}
