import { createHash } from 'node:crypto';
import type { RelayClient } from '@screen-advertising/core/relay';
import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import { typesOf } from '../../../lib/eventProperties';
import { relayCredential, relayFor } from '../../../lib/relay';

/** The subscription this trigger should have. */
export interface DesiredSubscription {
	readonly relay: RelayClient;
	readonly targetUrl: string;
	/** Sorted, as the relay keeps them. */
	readonly events: readonly string[];
	/** Hash of instance, workflow, node and relay: a copied workflow replaces nothing of the original. */
	readonly owner: string;
	/** Hash of the connector key, with which the relay signs what it delivers. */
	readonly key: string;
}

/** The user waits for it; a test event may take the relay 15 s. */
const requestOptions = { retry: { attempts: 3, maxWaitMs: 5_000 }, timeoutMs: 20_000 };

/** Throws ConfigurationError, or an error that n8n shows when the node has no event. */
export async function desiredSubscription(context: IHookFunctions): Promise<DesiredSubscription> {
	const targetUrl = context.getNodeWebhookUrl('default');
	const events = [...new Set(typesOf(context.getNodeParameter('events', [])))].sort();
	if (targetUrl === undefined || events.length === 0) {
		throw new NodeOperationError(context.getNode(), 'Choose at least one event in this node.', {
			level: 'warning',
		});
	}
	const { baseUrl, connectorKey } = await context.getCredentials(relayCredential);
	return {
		relay: await relayFor(context, requestOptions),
		targetUrl,
		events,
		owner: ownerOf(context, baseUrl),
		key: hashOf(connectorKey),
	};
}

/** An imported or copied workflow contains the ID of a subscription that belongs to the original. */
function ownerOf(context: IHookFunctions, baseUrl: unknown): string {
	const place = [context.getInstanceId(), context.getWorkflow().id, context.getNode().id];
	return hashOf([...place, baseUrl]);
}

function hashOf(facts: unknown): string {
	return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

/** What n8n stores about a subscription, in addition to the keys of its deliveries. */
export interface StoredSubscription {
	readonly id: string;
	readonly owner: string;
	readonly key: string;
	readonly targetUrl: string;
	readonly events: readonly string[];
}

/** The latest subscription that this very workflow made; undefined for any other. */
export function storedFor(
	context: IHookFunctions,
	{ owner }: DesiredSubscription,
): StoredSubscription | undefined {
	const stored = context.getWorkflowStaticData('node').subscription as
		| StoredSubscription
		| undefined;
	return stored?.owner === owner ? stored : undefined;
}

/** n8n saves it once every webhook of the workflow is registered. */
export function rememberSubscription(
	context: IHookFunctions,
	id: string,
	{ owner, key, targetUrl, events }: DesiredSubscription,
): void {
	const stored = { id, owner, key, targetUrl, events: [...events] };
	context.getWorkflowStaticData('node').subscription = stored;
}
