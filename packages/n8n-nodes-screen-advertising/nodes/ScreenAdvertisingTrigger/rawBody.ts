import type { IWebhookFunctions } from 'n8n-workflow';

type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']> & {
	readRawBody?(): Promise<void>;
};

/** A body that n8n cannot give as it was sent, so that no signature of it can be checked. */
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
 * The bytes that were signed. n8n reads them before parsing, or when asked to. Throws
 * UnreadableBody for a form, a lying or broken compression, and a body that is too large or ends
 * too early: all of which anybody can send.
 */
export async function rawBody(request: N8nRequest): Promise<Buffer> {
	if (!Buffer.isBuffer(request.rawBody)) {
		await Promise.race([request.readRawBody?.(), brokenOff(request)]).catch(fail);
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

/** n8n goes on waiting for the rest of a compressed body when its sender has left. */
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
