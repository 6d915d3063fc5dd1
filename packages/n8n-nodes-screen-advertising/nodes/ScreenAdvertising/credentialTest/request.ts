import type { ICredentialTestFunctions } from 'n8n-workflow';
import type { Send } from '../shared/transport';

interface FullResponse {
	readonly statusCode: number;
	readonly headers: Record<string, string>;
	readonly body: unknown;
}

/** The only request helper that n8n hands to the test of a credential, with bytes in and out. */
export function senderOf({ helpers }: ICredentialTestFunctions): Send {
	return async ({ method, url, headers, body, timeout }) => {
		const response = (await helpers.request({
			method,
			uri: url,
			headers,
			body,
			timeout,
			encoding: null,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
		})) as FullResponse;
		return { ...response, body: asText(response.body) };
	};
}

/** An answer that is an error comes as text, whatever was asked for. */
function asText(body: unknown): string {
	return Buffer.isBuffer(body) ? body.toString('utf8') : String(body ?? '');
}
