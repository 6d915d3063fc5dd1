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
import { credentialText } from './access';
import { createTransport, type SendHttpRequest } from './transport';

type Credential = ICredentialDataDecryptedObject;
type Options = Pick<RelayClientOptions, 'retry' | 'timeoutMs'>;

/** The type of credential with the address of the relay and a connector key. */
export const relayCredentialType = 'screenAdvertisingRelayApi';

/** Creates a client for the relay of a credential. Throws ConfigurationError. */
export function relayClientOfCredential(
	credential: Credential,
	send: SendHttpRequest,
	options: Options = {},
): RelayClient {
	return createRelayClient({
		baseUrl: credentialText(credential.baseUrl),
		connectorKey: credentialText(credential.connectorKey),
		transport: createTransport(send),
		...options,
	});
}

/** Creates a client for the relay of the node's own credential, over n8n's request helper. */
export async function relayClientOfNode(
	context: IHookFunctions | IPollFunctions,
	options?: Options,
): Promise<RelayClient> {
	const { helpers } = context;
	return relayClientOfCredential(
		await context.getCredentials(relayCredentialType),
		async (request) => await helpers.httpRequest(request),
		options,
	);
}

/** The secrets that the relay signs deliveries with. Throws ConfigurationError. */
export async function relaySigningSecrets(context: IWebhookFunctions): Promise<string[]> {
	const { connectorKey } = await context.getCredentials(relayCredentialType);
	return [parseConnectorKey(credentialText(connectorKey)).signingSecret];
}
