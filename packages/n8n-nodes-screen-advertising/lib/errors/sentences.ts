import type { FunctionsBase, INode } from 'n8n-workflow';
import type { ScreenAdvertisingError } from '@screen-advertising/core';
import { outsideText } from '@screen-advertising/core/platform';

/**
 * Quotes what the service said about a failure, as a separate sentence. If the body is not a
 * problem document, says how the core describes it. Empty without a body.
 */
export function quoted({ problem, message }: ScreenAdvertisingError): string {
	const said = [problem?.detail, problem?.title].find(
		(text) => typeof text === 'string' && text.trim() !== '',
	);
	if (said === undefined) return outlineIn(message);
	const text = outsideText(said);
	return `The service says: "${text}"${/[.!?…]$/.test(text) ? '' : '.'}`;
}

function outlineIn(message: string): string {
	return /The response is not a problem document, .*\)\./.exec(message)?.[0] ?? '';
}

/** Inside a container the loopback address is the container itself, where nothing may listen. */
export function containerHint(message: string): string {
	return /(^|\s)(127\.|localhost|\[::1\])\S* refused/.test(message)
		? ' If n8n runs in a container, use host.docker.internal instead of this host.'
		: '';
}

const types: Readonly<Record<string, string>> = {
	apiKey: 'screenAdvertisingApi',
	clientCredentials: 'screenAdvertisingClientCredentialsApi',
	relay: 'screenAdvertisingRelayApi',
};

/** The credential that a node uses, by the name that the user gave it. */
export function credentialOf(
	{ credentials, parameters }: INode,
	type: string = types[String(parameters.authentication ?? 'apiKey')] ?? '',
): string {
	const name = credentials?.[type]?.name;
	return name ? `credential "${name}"` : 'credential of this node';
}

/** The node of a message: n8n's log does not show where one comes from. */
export function nameOf(context: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>): string {
	return `"${context.getNode().name}" of the workflow "${context.getWorkflow().name}"`;
}
