import type { FunctionsBase, INode } from 'n8n-workflow';
import { type ScreenAdvertisingError, TransportError } from '@screen-advertising/core';
import { sentences } from '@screen-advertising/core/platform';

/** Whether the connection broke, so that there is nothing to check and the request can be retried. */
export function isBroken(error: ScreenAdvertisingError): boolean {
	const { code, isRetryable } = error;
	const isSent = error instanceof TransportError && error.sent === 'maybe';
	return isSent && isRetryable && code === 'network_error';
}

/** What a failed test of a credential says in its dialog. */
export function testFailure(error: ScreenAdvertisingError): string {
	const { code, summary, said, remedy } = error;
	const isPassing = isBroken(error) || code === 'service_error';
	const todo = isPassing ? 'Test again in a minute.' : remedy;
	return `${sentences([summary, said, todo])}${containerHint(summary)}`;
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

/** Whether an AI agent uses the node: n8n gives its type another name then. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/** The node of a message: n8n's log does not show where one comes from. */
export function nameOf(context: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>): string {
	return `"${context.getNode().name}" of the workflow "${context.getWorkflow().name}"`;
}
