import { LruMap } from '@screen-advertising/core/platform';
import {
	createReplayMemory,
	defaultToleranceSeconds,
	type ReplayMemory,
} from '@screen-advertising/core/webhooks';
import type { IWebhookFunctions } from 'n8n-workflow';

/**
 * The least time to remember an event, by how it is recognized. Two events without an ID may have
 * the same body, such as a coupon that is redeemed twice, so a body is remembered only while the
 * service keeps delivering it.
 */
const minRetentionSeconds = { id: 3600, body: defaultToleranceSeconds };

/** The most that each process remembers of a trigger, newest first: about 2 MB. */
const maxRemembered = 20_000;

/**
 * How long n8n may take to start an execution before the delivery counts as lost, as when its
 * process ends.
 */
const startSeconds = 60;

/** The knowledge of this process about the deliveries to one trigger. */
interface Memory {
	/** Have started an execution: here, or in another process as far as static data shows. */
	readonly processed: ReplayMemory;
	/** n8n is creating the execution, which may still fail. */
	readonly inFlight: ReplayMemory;
}

/** The memory of each trigger. */
const memories = new LruMap<Memory>();

interface Claim {
	/**
	 * A duplicate that arrives while n8n creates the execution of the first delivery counts as
	 * `inFlight`. Its sender has to retry it, since the first one may still fail to start.
	 */
	readonly verdict: 'first' | 'duplicate' | 'inFlight';
	/** Remembers a first delivery for good: n8n has created its execution. */
	confirm(): void;
}

/**
 * Decides whether a delivery is the first of its event. Static data survives restarts and reaches
 * the other processes, but n8n reads and writes it whole: of simultaneous deliveries, the last one
 * overwrites what the others stored. So each process also keeps what it knows, and stores all of it
 * with its next delivery.
 */
export function claimDelivery(
	context: IWebhookFunctions,
	event: string,
	toleranceSeconds: number,
): Claim {
	const key = shortKey(event);
	const kind = event.startsWith('id:') ? 'id' : 'body';
	const stored = kind === 'id' ? 'deliveries' : 'bodies';
	const staticData = context.getWorkflowStaticData('node');
	// One second more, since signatures count their age in whole seconds.
	const retentionSeconds = Math.max(minRetentionSeconds[kind], toleranceSeconds + 1);
	const { processed, inFlight } = memoryOf(context, kind, retentionSeconds);
	processed.add(parseDeliveries(staticData[stored]));
	return {
		verdict: judge(),
		confirm() {
			processed.claim(key);
			inFlight.release(key);
			staticData[stored] = formatDeliveries(processed.entries());
		},
	};

	function judge(): Claim['verdict'] {
		if (processed.has(key)) return 'duplicate';
		if (!inFlight.claim(key)) return 'inFlight';
		const response = context.getResponseObject();
		// n8n responds like this when it could not create the execution.
		response.once('finish', () => response.statusCode >= 500 && inFlight.release(key));
		return 'first';
	}
}

function memoryOf(context: IWebhookFunctions, kind: string, retentionSeconds: number): Memory {
	const trigger = `${context.getWorkflow().id} ${context.getNode().id} ${kind} ${retentionSeconds}`;
	return memories.get(trigger, () => ({
		processed: createReplayMemory({ retentionSeconds, maxEntries: maxRemembered }),
		inFlight: createReplayMemory({ retentionSeconds: startSeconds }),
	}));
}

type Entry = readonly [key: string, claimedAt: number];

/** n8n reads and writes static data whole with each delivery; these take 50 KB. */
const maxStored = 2000;

/** 72 bits of a hash are more than enough for the number of events remembered. */
const keyLength = 12;

/** Formats the newest entries as one text, since n8n watches every single value in static data. */
function formatDeliveries(entries: readonly Entry[]): string {
	return entries
		.slice(-maxStored)
		.map(([key, claimedAt]) => `${key}:${Math.floor(claimedAt / 1000)}`)
		.join(' ');
}

/** Reads the stored entries; skips what cannot be read. */
function parseDeliveries(stored: unknown): Entry[] {
	if (typeof stored !== 'string') return [];
	return [...stored.matchAll(/(\S+):(\d+)/g)].map(([, key = '', seconds]) => [
		key,
		Number(seconds) * 1000,
	]);
}

/** A key of `eventKey` without its kind, as short as possible. */
function shortKey(key: string): string {
	return key.slice(key.indexOf(':') + 1).slice(0, keyLength);
}
