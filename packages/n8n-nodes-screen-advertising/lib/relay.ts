import {
	createRelayClient,
	parseConnectorKey,
	type RelayClient,
	type RelayClientOptions,
} from '@screen-advertising/core/relay';
import type {
	ICredentialDataDecryptedObject,
	IHookFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { credentialText } from './access/credentialText';
import { createTransport, type Send } from './transport/transport';
import type { Page } from '@screen-advertising/core';
import { nextCursor } from '@screen-advertising/core/platform';

type Credential = ICredentialDataDecryptedObject;
type Options = Pick<RelayClientOptions, 'retry' | 'timeoutMs'>;

/** The type of credential with the address of the relay and a connector key. */
export const relayCredential = 'screenAdvertisingRelayApi';

/** Creates a client for the relay of a credential. Throws ConfigurationError. */
export function relayOf(credential: Credential, send: Send, options: Options = {}): RelayClient {
	return createRelayClient({
		baseUrl: credentialText(credential.baseUrl),
		connectorKey: credentialText(credential.connectorKey),
		transport: createTransport(send),
		...options,
	});
}

/** The same over n8n's request helper, with the node's own credential. */
export async function relayFor(
	context: IHookFunctions | IPollFunctions,
	options?: Options,
): Promise<RelayClient> {
	const { helpers } = context;
	return relayOf(
		await context.getCredentials(relayCredential),
		async (request) => await helpers.httpRequest(request),
		options,
	);
}

/** The secrets that the relay signs deliveries with. Throws ConfigurationError. */
export async function relaySecrets(context: IWebhookFunctions): Promise<string[]> {
	const { connectorKey } = await context.getCredentials(relayCredential);
	return [parseConnectorKey(credentialText(connectorKey)).signingSecret];
}

/** The largest page of the relay. */
const limit = 200;

/** Reads a list of the relay page by page. */
export async function* relayPages<Result extends Page<unknown>>(
	read: (page: { limit: number; cursor?: string }) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
	let page = await read({ limit });
	yield page;
	for (let cursor = nextCursor(page.pagination); cursor; cursor = nextCursor(page.pagination)) {
		page = await read({ limit, cursor });
		yield page;
	}
}
