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
import { createTransport, type Send } from '../transport/transport';

type Credential = ICredentialDataDecryptedObject;
type Options = Pick<RelayClientOptions, 'clock' | 'retry' | 'timeoutMs'>;

/** The type of credential with the address of the relay and a connector key. */
export const relayCredential = 'screenAdvertisingRelayApi';

/** Creates a client for the relay of a credential. Throws ConfigurationError. */
export function relayOf(credential: Credential, send: Send, options: Options = {}): RelayClient {
	return createRelayClient({
		baseUrl: String(credential.baseUrl ?? ''),
		connectorKey: String(credential.connectorKey ?? ''),
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
	return [parseConnectorKey(String(connectorKey ?? '')).signingSecret];
}
