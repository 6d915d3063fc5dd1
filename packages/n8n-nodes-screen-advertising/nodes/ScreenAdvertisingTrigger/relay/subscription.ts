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
	/**
	 * Hash of instance, workflow, node and key: a copied workflow must not reuse the original's
	 * subscription.
	 */
	readonly owner: string;
	/** No text from the relay may show them. */
	readonly secrets: readonly string[];
}

/** The user waits for it; a test event may take the relay 15 s. */
const requestOptions = { retry: { attempts: 3, maxWaitMs: 5_000 }, timeoutMs: 20_000 };

/** Throws ConfigurationError, or an error that n8n shows when the node has no event. */
export async function desiredSubscription(context: IHookFunctions): Promise<DesiredSubscription> {
	const targetUrl = context.getNodeWebhookUrl('default');
	const chosen = context.getNodeParameter('events', []) as string[];
	const events = [...new Set(typesOf(chosen))].sort();
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
		owner: ownerOf(context, baseUrl, connectorKey),
		secrets: String(connectorKey).trim().split('.'),
	};
}

/**
 * An imported or copied workflow contains the ID of a subscription that belongs to the original. So
 * does a second n8n made from a copy of the first, which needs its own key.
 */
function ownerOf(context: IHookFunctions, baseUrl: unknown, connectorKey: unknown): string {
	const place = [context.getInstanceId(), context.getWorkflow().id, context.getNode().id];
	const facts = [...place, baseUrl, connectorKey];
	return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

/** What n8n stores about a subscription, in addition to the keys of its deliveries. */
interface Stored {
	readonly id: string;
	readonly owner: string;
	readonly targetUrl: string;
	readonly events: readonly string[];
}

/**
 * The latest subscription that this very workflow made with the same key; undefined for any other.
 */
export function storedFor(
	context: IHookFunctions,
	{ owner }: DesiredSubscription,
): Stored | undefined {
	const stored = context.getWorkflowStaticData('node').subscription as Stored | undefined;
	return stored?.owner === owner ? stored : undefined;
}

/** n8n saves it once every webhook of the workflow is registered. */
export function rememberSubscription(
	context: IHookFunctions,
	id: string,
	desired: DesiredSubscription,
): void {
	const { owner, targetUrl, events } = desired;
	context.getWorkflowStaticData('node').subscription = {
		id,
		owner,
		targetUrl,
		events: [...events],
	};
}
