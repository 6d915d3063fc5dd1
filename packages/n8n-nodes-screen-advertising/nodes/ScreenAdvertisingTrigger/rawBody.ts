import type { IWebhookFunctions } from 'n8n-workflow';

type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']> & {
	readRawBody?(): Promise<void>;
};

/** A body that n8n cannot return as it was sent, so its signature cannot be checked. */
export class UnreadableBody extends Error {
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
export async function rawBody(request: N8nRequest): Promise<Buffer> {
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
