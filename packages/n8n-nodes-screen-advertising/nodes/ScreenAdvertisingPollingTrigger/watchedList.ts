import { createHash } from 'node:crypto';
import { type operations, ScreenAdvertisingError } from '@screen-advertising/core';
import { nextCursor, recordId } from '@screen-advertising/core/platform';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { readPages } from './budget';
import { type PolledEvent, withClient } from './pollResult';

/** A list whose records start the workflow when they are new, or have a new status. */
export interface WatchedList {
	readonly operation: (typeof operations)['campaignRequest.list' | 'screen.list'];
	readonly filters: IDataObject;
	/** The changes of a record that had this status, or none if it is new. */
	changesOf(record: IDataObject, before: string | undefined): PolledEvent[];
	statusOf(record: IDataObject): string;
}

/** What the next poll compares with, as n8n stores it. */
export interface ListState {
	readonly source: string;
	/** The last known status of each record, by its ID. */
	readonly seen: Readonly<Record<string, string>>;
	/** Where the next poll continues, if this one did not reach the end of the list. */
	readonly cursor?: string | undefined;
	/** The first pass has not reached the end of the list: its records are not new. */
	readonly isFirst?: boolean | undefined;
}

interface KnownList {
	/** Where the list comes from: a state from elsewhere is not compared with. */
	readonly source: string;
	readonly stored: Partial<ListState> | undefined;
}

interface ListResult {
	readonly changes: PolledEvent[];
	readonly state: ListState;
}

/** Above this, records that the service no longer lists are forgotten. */
const maxRemembered = 20_000;

/**
 * Compares the list with the last poll. The contract shows neither an order nor a time of change,
 * so only the whole list shows for sure what is new. A list that takes longer than a poll takes
 * several.
 */
export async function pollList(
	context: IPollFunctions,
	list: WatchedList,
	{ source, stored }: KnownList,
	end: AbortSignal,
): Promise<ListResult> {
	const before = stored?.source === source ? stored : undefined;
	const { seen = {}, isFirst = before === undefined } = before ?? {};
	const { records, cursor } = await readPart(context, list, end, before?.cursor);
	const isWhole = before?.cursor === undefined && cursor === undefined;
	return {
		changes: isFirst ? [] : changesSince(seen, records, list),
		state: {
			source,
			seen: remember(seen, records, { list, isWhole }),
			cursor,
			isFirst: isFirst && cursor !== undefined,
		},
	};
}

/** The changes that the existing records would have started the workflow with. */
export async function sampleList(
	context: IPollFunctions,
	list: WatchedList,
): Promise<PolledEvent[]> {
	return await withClient(context, list.operation, async (client) => {
		const records: IDataObject[] = [];
		for await (const record of client.items(list.operation, list.filters)) {
			records.push(record as IDataObject);
		}
		return changesSince({}, records, list);
	});
}

interface Part {
	readonly records: IDataObject[];
	/** Where the list continues; undefined at its end. */
	readonly cursor: string | undefined;
}

/** As much of the list as the poll has time for, at least one page. */
async function readPart(
	context: IPollFunctions,
	{ operation, filters }: WatchedList,
	end: AbortSignal,
	from: string | undefined,
): Promise<Part> {
	return await withClient(context, operation, async (client) => {
		const read = async (cursor?: string): Promise<Part> => {
			const part = { records: [] as IDataObject[], cursor };
			const input = cursor === undefined ? filters : { ...filters, cursor };
			const pages = client.pages(operation, input, { signal: end });
			await readPages(pages, end, ({ data, pagination }) => {
				part.records.push(...(data as IDataObject[]));
				part.cursor = nextCursor(pagination);
				return true;
			});
			return part;
		};
		if (from === undefined) return await read();
		// The contract does not show how long a cursor works.
		return await read(from).catch((error: unknown) =>
			isRefused(error) ? read() : Promise.reject(error),
		);
	});
}

function isRefused(error: unknown): boolean {
	return (
		ScreenAdvertisingError.isInstance(error) &&
		(error.code === 'invalid_request' || error.code === 'not_found')
	);
}

/** Changes to the records since `seen`, in the order of the list. */
function changesSince(
	seen: ListState['seen'],
	records: readonly IDataObject[],
	{ changesOf, statusOf }: WatchedList,
): PolledEvent[] {
	const known = new Map(Object.entries(seen));
	return records.flatMap((record) => {
		const key = keyOf(record);
		const before = known.get(key);
		known.set(key, statusOf(record));
		return changesOf(record, before);
	});
}

/**
 * Keeps records missing from the list: they may be back in the next one, and must not count as new
 * then. Only a poll that reads the whole list shows which ones are missing.
 */
function remember(
	seen: ListState['seen'],
	records: readonly IDataObject[],
	{ list, isWhole }: { readonly list: WatchedList; readonly isWhole: boolean },
): ListState['seen'] {
	const current = Object.fromEntries(
		records.map((record) => [keyOf(record), list.statusOf(record)]),
	);
	const all = { ...seen, ...current };
	return isWhole && Object.keys(all).length > maxRemembered ? current : all;
}

/** The contract does not rule out records without an ID; those are recognized by their content. */
function keyOf(record: IDataObject): string {
	const id = recordId(record);
	if (id !== undefined) return id;
	return `#${createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16)}`;
}
