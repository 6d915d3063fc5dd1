import { EmptyConditionError, withCurrencyAmounts } from '@screen-advertising/core/forms';
import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { nodeInWorkflow } from '../../lib/nodeErrors';
import { n8nClock, withTimeLimit } from '../../lib/transport';
import { crossingEventNames, screenListedEventName } from './events';
import {
	type PolledChange,
	eventsOf,
	pollsRelay,
	type PolledEventKind,
	type RecoveredChanges,
} from './kind';
import {
	newestLeftOutChanges,
	maxPageSize,
	type LastPoll,
	type ChangeWithoutRun,
	logMissedChanges,
	type MissedChanges,
	startPoll,
	type OngoingPoll,
} from './lastPoll';
import { missedEvents, relayEventKind } from './relayEvents';
import { screenAvailabilityKind } from './screenAvailability';
import { campaignRequestsKind, newScreensKind } from './watchedLists';

/**
 * Compares the current state with the last poll. The stored state changes only after everything was
 * read, so the poll after a failed one finds the same changes.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const chosen = chosenOf(this);
	if (this.getMode() === 'manual') return await sample(this, chosen);
	const ongoing = startPoll(this);
	if (!ongoing) return null;
	try {
		const { parts, changes, missed, others, missing } = await gather(this, chosen, ongoing);
		const items = toItems(changes);
		if (!ongoing.end(parts, items !== null)) return null;
		if (missed) logMissedChanges(this, missed);
		if (others.length > 0) logOthers(this, others);
		// Not thrown: n8n would store nothing, and the next poll would find the same.
		if (missing.length > 0) this.__emitError(missedEvents(this, missing));
		// With durable poll cursors, n8n itself does not store those of the poll at publishing.
		if (!items) await this.__commitCursor?.();
		return items;
	} finally {
		ongoing.over();
	}
}

/** Polls each kind, and decides which of its changes start the workflow. */
async function gather(
	context: IPollFunctions,
	{ kinds, events }: Chosen,
	{ last, skipsMissed, includesMissed }: OngoingPoll,
) {
	const parts: Record<string, LastPoll['parts'][string]> = {};
	const changes: PolledChange[] = [];
	const others: string[] = [];
	const missing: string[] = [];
	let missed: MissedChanges | undefined;
	const startsNothing = (key: string) => skipsMissed || (last?.parts[key]?.onlyNotes ?? false);
	const results = await runWithinBudget(
		context,
		kinds.map((kind) => async (end: AbortSignal) => {
			const { state: before, left: stored = [] } = last?.parts[kind.key] ?? {};
			const left = newestLeftOutChanges(stored);
			const options = { before, onlyNotes: startsNothing(kind.key), end };
			const result = await kind.poll(context, options).catch((error: unknown) => {
				if (!(error instanceof EmptyConditionError)) throw error;
				context.logger.info(`${nodeInWorkflow(context)}: ${error.message}`);
				return undefined;
			});
			if (!result) return undefined;
			// With another access or filter, it may be of records that no longer belong here.
			if (result.isFirst || result.isOther) return { ...result, earlier: nothing };
			const isWanted = includesMissed && left.length > 0;
			const earlier = isWanted
				? await recover(context, kind, left, end)
				: { ...nothing, rest: left };
			return { ...result, earlier };
		}),
	);
	for (const [nth, { key, what }] of kinds.entries()) {
		const known = last?.parts[key];
		const result = results[nth];
		if (!result) {
			// The poll had no time for it, or a condition came out empty.
			if (known) parts[key] = known;
			continue;
		}
		const { isFirst = false, isOther = false, continues = false, earlier } = result;
		const isOld = startsNothing(key) || isFirst;
		const onlyNotes = (isOld || isOther) && continues;
		const since = skipsMissed ? last?.at : known?.missedSince;
		const missedSince = isFirst || (isOther && !skipsMissed) ? undefined : since;
		const isChosen = ({ event }: PolledChange) => events.includes(event.type);
		const wanted = result.changes.filter(isChosen);
		for (const change of earlier.changes.filter(isChosen)) changes.push(change);
		const left = [...(earlier.rest ?? [])];
		if (!isOld) for (const change of wanted) changes.push(change);
		else if (missedSince !== undefined && wanted.length > 0) {
			missed = {
				since: missedSince,
				count: (missed?.count ?? 0) + wanted.length,
				isMore:
					(missed?.isMore ?? false) || (result.again !== undefined && wanted.length >= maxPageSize),
			};
			const kept = result.again === undefined ? wanted : [result.again];
			for (const what of kept) left.push({ at: n8nClock.date(), what });
		}
		parts[key] = {
			state: result.state,
			onlyNotes,
			...(onlyNotes && { missedSince }),
			...(left.length > 0 && { left: newestLeftOutChanges(left) }),
		};
		if (isOther || (isFirst && known)) others.push(what);
		for (const type of [result.missing, earlier.missing]) if (type) missing.push(type);
	}
	changes.sort(({ order: a = 0 }, { order: b = 0 }) => a - b);
	return { parts, changes, missed, others, missing };
}

const nothing: RecoveredChanges = { changes: [] };

/** Finds what earlier polls left out. If there is no time for it, the next poll does it. */
async function recover(
	context: IPollFunctions,
	kind: PolledEventKind,
	left: readonly ChangeWithoutRun[],
	end: AbortSignal,
): Promise<RecoveredChanges> {
	if (!kind.recover) return { changes: left.map(({ what }) => what as PolledChange) };
	return await kind.recover(context, left, end).catch((error: unknown) => {
		if (!end.aborted) throw error;
		return { changes: [], rest: left };
	});
}

interface Chosen {
	readonly isRelay: boolean;
	readonly events: readonly string[];
	/** Only these are requested. */
	readonly kinds: readonly PolledEventKind[];
}

function chosenOf(context: IPollFunctions): Chosen {
	const isRelay = pollsRelay(context);
	const events = eventsOf(context);
	if (isRelay) return { isRelay, events, kinds: events.map(relayEventKind) };
	const kinds = ofService.filter(([, isIn]) => events.some(isIn)).map(([kind]) => kind);
	return { isRelay, events, kinds };
}

const ofService: readonly (readonly [kind: PolledEventKind, isIn: (event: string) => boolean])[] = [
	[campaignRequestsKind, (event) => event.startsWith('campaign_request.')],
	[newScreensKind, (event) => event === screenListedEventName],
	[screenAvailabilityKind, (event) => crossingEventNames.includes(event)],
];

/** Shows one record in the editor, so that the user knows what to expect. Stores nothing. */
async function sample(
	context: IPollFunctions,
	{ isRelay, events, kinds }: Chosen,
): Promise<INodeExecutionData[][]> {
	const samples = await Promise.all(
		kinds.map(async (kind) => {
			return await kind.sample(context).catch((error: unknown) => {
				if (error instanceof EmptyConditionError) return [];
				throw error;
			});
		}),
	);
	const [first] = samples
		.flat()
		.filter(({ event }) => events.includes(event.type))
		.sort(({ order: a = 0 }, { order: b = 0 }) => b - a);
	const items = toItems(first ? [first] : []);
	if (items) return items;
	const [{ what } = campaignRequestsKind] = kinds;
	throw isRelay
		? new NodeOperationError(
				context.getNode(),
				'The relay has received none of the chosen events yet',
				{ description: 'Choose more events, or test again once one of them has happened.' },
			)
		: new NodeOperationError(
				context.getNode(),
				`There is no ${what} yet that matches 'Trigger On' and the filters`,
				{ description: `Choose more events, remove the filter, or wait for a ${what}.` },
			);
}

/** Says in n8n's log what is compared with nothing. */
function logOthers(context: IPollFunctions, what: readonly string[]): void {
	context.logger.info(
		`${nodeInWorkflow(context)} has another filter, period or credential than at its last poll. What only those include starts it from now on (${what.join(', ')}).`,
	);
}

function toItems(changes: readonly PolledChange[]): INodeExecutionData[][] | null {
	const items = changes.map(({ event: { data, ...event } }) => ({
		json: { ...event, data: withCurrencyAmounts(data) },
	}));
	return items.length > 0 ? [items] : null;
}

/**
 * Milliseconds for a poll where n8n offers no budget: with durable poll cursors, it ends a poll
 * after 45 s and stores nothing.
 */
const otherwiseMs = 36_000;

type Work<Result> = (end: AbortSignal) => Promise<Result>;

/**
 * Does the parts of a poll one after the other, each with an equal share of the time that is left.
 * The signal ends a part: it returns what it has, or throws the reason if that is nothing. Its
 * result is then undefined, unless that is so for every part.
 */
async function runWithinBudget<Result>(
	context: IPollFunctions,
	parts: readonly Work<Result>[],
): Promise<(Result | undefined)[]> {
	// Not in n8n 2.36.0.
	const { getPollBudgetMs = () => otherwiseMs } = context as Partial<IPollFunctions>;
	const budgetMs = getPollBudgetMs();
	const latest = n8nClock.now() + budgetMs;
	const reason = outOfTime(context, budgetMs);
	const results: (Result | undefined)[] = [];
	let late = 0;
	for (const [nth, part] of parts.entries()) {
		const ms = (latest - n8nClock.now()) / (parts.length - nth);
		const result = await withTimeLimit(ms, part, reason).catch((error: unknown) => {
			if (error !== reason) throw error;
			late += 1;
			context.logger.warn(
				`${nodeInWorkflow(context)}: the poll had no time for everything. The next one continues.`,
			);
			return undefined;
		});
		results.push(result);
	}
	if (late > 0 && late === parts.length) throw reason;
	return results;
}

function outOfTime(context: IPollFunctions, ms: number): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`The poll found no time to read anything: n8n gives it ${Math.round(ms / 1000)} s`,
		{
			description:
				'The next poll retries, and misses nothing. If it keeps failing, let other workflows with this credential run less often: they share its rate limit.',
		},
	);
}
