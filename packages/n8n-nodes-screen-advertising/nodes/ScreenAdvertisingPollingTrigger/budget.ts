import { type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { nameOf } from '../../lib/errors/sentences';
import { clock } from '../../lib/transport/transport';
import { within } from '../../lib/transport/within';

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
export async function runWithinBudget<Result>(
	context: IPollFunctions,
	parts: readonly Work<Result>[],
): Promise<(Result | undefined)[]> {
	// Not in n8n 2.36.0.
	const { getPollBudgetMs = () => otherwiseMs } = context as Partial<IPollFunctions>;
	const budgetMs = getPollBudgetMs();
	const latest = clock.now() + budgetMs;
	const reason = outOfTime(context, budgetMs);
	const results: (Result | undefined)[] = [];
	let late = 0;
	for (const [nth, part] of parts.entries()) {
		const ms = (latest - clock.now()) / (parts.length - nth);
		const result = await within(ms, part, reason).catch((error: unknown) => {
			if (error !== reason) throw error;
			late += 1;
			context.logger.warn(
				`${nameOf(context)}: the poll had no time for everything. The next one continues.`,
			);
			return undefined;
		});
		results.push(result);
	}
	if (late > 0 && late === parts.length) throw reason;
	return results;
}

/**
 * Reads pages until `take` returns false, the pages end or the time does. Rejects if that is before
 * the first page.
 */
export async function readPages<Page>(
	pages: AsyncIterable<Page>,
	end: AbortSignal,
	take: (page: Page) => boolean,
): Promise<void> {
	let isEmpty = true;
	const read = async () => {
		for await (const page of pages) {
			isEmpty = false;
			if (!take(page)) return;
		}
	};
	await read().catch((error: unknown) => {
		if (error !== end.reason || isEmpty) throw error;
	});
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
