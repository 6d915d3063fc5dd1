import { createReplayMemory, type ReplayMemory } from '@screen-advertising/core';
import type { IWebhookFunctions } from 'n8n-workflow';

const minRetentionSeconds = 3600;
const maxEntries = 1000;

/** n8n stores static data within this, once the delivery is handed over. */
const handOverSeconds = 5;

/** Deliveries of each trigger that were handed to n8n just now, in this process. */
const handedOver = new Map<string, ReplayMemory>();

/**
 * Whether a delivery is the first of its event. Static data remembers over restarts and processes,
 * but is stored only after this: a duplicate that arrives at the same moment counts as `under way`
 * and is to be delivered again, since the first one may still fail to start the workflow.
 */
export function claim(
	context: IWebhookFunctions,
	key: string,
	toleranceSeconds: number,
): 'first' | 'repeat' | 'under way' {
	const staticData = context.getWorkflowStaticData('node');
	const stored = createReplayMemory({
		entries: readEntries(staticData.deliveries),
		retentionSeconds: Math.max(minRetentionSeconds, toleranceSeconds),
		maxEntries,
	});
	if (!stored.claim(key)) return 'repeat';
	if (!justNow(context).claim(key)) return 'under way';
	staticData.deliveries = stored.entries();
	return 'first';
}

function justNow(context: IWebhookFunctions): ReplayMemory {
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory =
		handedOver.get(trigger) ?? createReplayMemory({ retentionSeconds: handOverSeconds });
	handedOver.set(trigger, memory);
	return memory;
}

function readEntries(stored: unknown): Array<[key: string, claimedAt: number]> {
	return Array.isArray(stored) ? (stored as Array<[string, number]>) : [];
}
