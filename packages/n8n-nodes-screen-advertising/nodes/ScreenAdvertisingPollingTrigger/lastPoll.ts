import { createHash } from 'node:crypto';
import { LruMap } from '@screen-advertising/core/platform';
import { type IPollFunctions, toCronExpression } from 'n8n-workflow';
import { nodeInWorkflow } from '../../lib/nodeErrors';
import { n8nClock } from '../../lib/transport';
import { triggerOption } from '../../lib/values';
import { properties } from './ScreenAdvertisingPollingTrigger.description';

/*
 * The memory from one poll to the next, and the one rule about changes while a workflow was
 * unpublished: after ten minutes they start nothing, unless the user asks for them. The relay has
 * the same rule for its subscriptions. Stopping n8n loses nothing: n8n stores a poll only with the
 * items that it found, so half a minute and a weekend look the same afterwards.
 */

const graceMs = 10 * 60_000;

/** A change that has started nothing, and does once the user asks for it. */
export interface ChangeWithoutRun {
	/** Milliseconds since 1970. */
	readonly at: number;
	/** Plain JSON, which only the kind of event reads. */
	readonly what: unknown;
}

/** The memory of one kind of event. */
interface Part {
	/** Plain JSON, which only that kind reads. */
	readonly state: unknown;
	/** Whether the rest of a list that takes several polls only takes note, too. */
	readonly onlyNotes: boolean;
	/** When the last poll before the pause ran, while the rest of a list belongs to what it missed. */
	readonly missedSince?: number | undefined;
	readonly left?: readonly ChangeWithoutRun[];
}

export interface LastPoll {
	/** Hash of instance, workflow and node: a copied workflow continues nothing of the original. */
	readonly owner: string;
	/** How many polls there were. */
	readonly nth: number;
	/** Milliseconds since 1970. */
	readonly at: number;
	/** The memory of each kind of event in the last poll. */
	readonly parts: Readonly<Record<string, Part>>;
}

/** The knowledge of this process about a trigger. n8n stores only polls that find something. */
interface Memory {
	/** n8n makes another one whenever it publishes, and with durable poll cursors for each poll. */
	context?: IPollFunctions;
	isRunning: boolean;
	/** When the last poll ran, even if it failed. */
	triedAt: number;
	last?: LastPoll;
	/** The state before the last poll with items, which n8n discards if it unpublishes meanwhile. */
	beforeItems?: { readonly nth: number; readonly last: LastPoll | undefined };
}

const memories = new LruMap<Memory>();

/** Versions that another one has replaced. n8n discards what their polls find. */
const replaced = new WeakSet<IPollFunctions>();

/** One poll of a trigger. */
export interface OngoingPoll {
	readonly last: LastPoll | undefined;
	/** Whether the changes since the last poll start nothing. */
	readonly skipsMissed: boolean;
	/** Whether the user asks for what was left out, by this publication or an earlier one. */
	readonly includesMissed: boolean;
	/** Stores the parts. False if a newer version was published meanwhile, which finds the same. */
	end(parts: LastPoll['parts'], hasItems: boolean): boolean;
	/** Always called at the end. */
	over(): void;
}

/** Undefined while an earlier poll of the same version runs, or after another one was published. */
export function startPoll(context: IPollFunctions): OngoingPoll | undefined {
	const owner = ownerOf(context);
	const memory = memories.get(owner, () => ({ isRunning: false, triedAt: 0 }));
	const isPublishing = memory.context !== context;
	if (replaced.has(context) || (!isPublishing && memory.isRunning)) return undefined;
	if (memory.context && isPublishing) replaced.add(memory.context);
	memory.context = context;
	memory.isRunning = true;
	const last = lastPollOf(context, owner, memory);
	const skipsMissed = isPublishing && last !== undefined && isPaused(context, last, memory);
	if (!isPublishing) memory.triedAt = n8nClock.date();
	const isCurrent = () => memory.context === context;
	return {
		last,
		skipsMissed,
		includesMissed: includesMissed(context),
		end(parts, hasItems) {
			if (!isCurrent()) return false;
			const next = { owner, nth: (last?.nth ?? 0) + 1, at: n8nClock.date(), parts };
			if (hasItems) memory.beforeItems = { nth: next.nth, last };
			memory.last = next;
			context.getWorkflowStaticData('node').lastPoll = next;
			return true;
		},
		over() {
			if (isCurrent()) memory.isRunning = false;
		},
	};
}

function ownerOf(context: IPollFunctions): string {
	const place = [context.getInstanceId(), context.getWorkflow().id, context.getNode().id];
	return createHash('sha256').update(JSON.stringify(place)).digest('base64url').slice(0, 16);
}

function lastPollOf(context: IPollFunctions, owner: string, memory: Memory): LastPoll | undefined {
	const { lastPoll } = context.getWorkflowStaticData('node') as { lastPoll?: LastPoll };
	const stored = lastPoll?.owner === owner ? lastPoll : undefined;
	const nth = stored?.nth ?? 0;
	const { last, beforeItems } = memory;
	// n8n stores a poll together with the execution that its items start.
	if (beforeItems && nth < beforeItems.nth) return beforeItems.last ?? stored;
	// With durable poll cursors, another process may have polled last.
	return last && last.nth >= nth ? last : stored;
}

/** Whether the workflow was unpublished for long: polls were due that did not happen. */
function isPaused(context: IPollFunctions, last: LastPoll, { triedAt }: Memory): boolean {
	if (context.getActivationMode() !== 'activate') return false;
	const { item = [] } = context.getNodeParameter('pollTimes', {}) as {
		item?: Parameters<typeof toCronExpression>[0][];
	};
	const intervals = item.map((time) => longestIntervalMs(toCronExpression(time)));
	const dueAt = Math.max(last.at, triedAt) + Math.min(...intervals);
	const isLong = n8nClock.date() - dueAt > graceMs;
	return isLong && !includesMissed(context);
}

function includesMissed(context: IPollFunctions): boolean {
	return triggerOption(context, properties, 'catchUp') === true;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** An upper bound of the time between two polls of a schedule. */
function longestIntervalMs(cron: string): number {
	const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.split(/\s+/).slice(-5);
	const every = (field: string) => (field === '*' ? 1 : Number(/^\*\/(\d+)$/.exec(field)?.[1]));
	if (day !== '*' || month !== '*') return 31 * dayMs;
	if (weekday !== '*') return 7 * dayMs;
	if (hour !== '*') return (every(hour) || 24) * hourMs;
	return (every(minute) || 60) * 60_000;
}

/** A relay keeps its events as long by default. */
const keptMs = 30 * dayMs;

/** The most of a kind that is kept: n8n stores it with every execution. */
const maxLeft = 1_000;

export function newestLeftOutChanges(
	left: readonly ChangeWithoutRun[],
): readonly ChangeWithoutRun[] {
	return left.filter(({ at }) => n8nClock.date() - at < keptMs).slice(-maxLeft);
}

/** Missed events of a relay are counted only up to this. */
export const maxPageSize = 200;

/** Changes that start nothing. */
export interface MissedChanges {
	/** Milliseconds since 1970. */
	readonly since: number;
	readonly count: number;
	/** There may be more than were counted. */
	readonly isMore: boolean;
}

/** Says in n8n's log what does not start the workflow. */
export function logMissedChanges(
	context: IPollFunctions,
	{ since, count, isMore }: MissedChanges,
): void {
	const kept = count > maxLeft ? `up to ${maxLeft} of each kind` : 'them';
	context.logger.warn(
		`${nodeInWorkflow(context)} was unpublished for more than ten minutes. Changes since ${new Date(since).toISOString()} that do not start it: ${count}${isMore ? ' or more' : ''}. With 'Include Missed Events', publishing starts it with ${kept}.`,
	);
}
