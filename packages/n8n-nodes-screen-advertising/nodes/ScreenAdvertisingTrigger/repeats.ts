import {
	createReplayMemory,
	defaultToleranceSeconds,
	type ReplayMemory,
} from '@screen-advertising/core/webhooks';
import type { IWebhookFunctions } from 'n8n-workflow';
import { LatestUsed } from '../../lib/latestUsed';
import { formatDeliveries, parseDeliveries, shortKey } from './storedDeliveries';

/**
 * How long an event is remembered at least, by how it is told from others. Two events without an
 * identifier may have the same body, such as a coupon that is redeemed twice, so a body is known
 * no longer than the service goes on delivering it.
 */
const minRetentionSeconds = { id: 3600, body: defaultToleranceSeconds };

/** What each process remembers of a trigger, the newest first to stay: about 2 MB. */
const maxRemembered = 20_000;

/** How long n8n may take to hand a delivery over until it is taken for lost, as with its process. */
const handOverSeconds = 60;

/** What this process knows of the deliveries to one trigger. */
interface Memory {
	/** Started an execution: here, or in another process as far as static data told of it. */
	readonly handedOver: ReplayMemory;
	/** n8n creates the execution at this moment, which may still fail. */
	readonly underWay: ReplayMemory;
}

/** Of each trigger. */
const memories = new LatestUsed<Memory>();

export interface Claim {
	/**
	 * A duplicate that arrives while n8n creates the execution of the first one counts as
	 * `under way` and is to be delivered again, since the first one may still fail to start it.
	 */
	readonly verdict: 'first' | 'repeat' | 'under way';
	/** Remembers a first delivery for good: n8n has its execution now. */
	confirm(): void;
}

/**
 * Whether a delivery is the first of its event. Static data remembers over restarts and tells the
 * other processes, but n8n reads and writes it whole: of deliveries at the same moment, the last
 * one overwrites what the others stored. So each process keeps what it knows itself too, and
 * stores all of that with its next delivery.
 */
export function claim(context: IWebhookFunctions, event: string, toleranceSeconds: number): Claim {
	const key = shortKey(event);
	const kind = event.startsWith('id:') ? 'id' : 'body';
	const stored = kind === 'id' ? 'deliveries' : 'bodies';
	const staticData = context.getWorkflowStaticData('node');
	// A second more, since signatures are as old in whole seconds.
	const retentionSeconds = Math.max(minRetentionSeconds[kind], toleranceSeconds + 1);
	const { handedOver, underWay } = memoryOf(context, kind, retentionSeconds);
	handedOver.add(parseDeliveries(staticData[stored]));
	return {
		verdict: judge(),
		confirm() {
			handedOver.claim(key);
			underWay.release(key);
			staticData[stored] = formatDeliveries(handedOver.entries());
		},
	};

	function judge(): Claim['verdict'] {
		if (handedOver.has(key)) return 'repeat';
		if (!underWay.claim(key)) return 'under way';
		const response = context.getResponseObject();
		// n8n answers so when it could not create the execution.
		response.once('finish', () => response.statusCode >= 500 && underWay.release(key));
		return 'first';
	}
}

function memoryOf(context: IWebhookFunctions, kind: string, retentionSeconds: number): Memory {
	const trigger = `${context.getWorkflow().id} ${context.getNode().id} ${kind} ${retentionSeconds}`;
	return memories.get(trigger, () => ({
		handedOver: createReplayMemory({ retentionSeconds, maxEntries: maxRemembered }),
		underWay: createReplayMemory({ retentionSeconds: handOverSeconds }),
	}));
}
